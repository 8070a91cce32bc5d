// SPDX-License-Identifier: Apache-2.0
/**
 * Configuration keys and the checks of their values.
 */
package io.temptier.hadoop.conf;
