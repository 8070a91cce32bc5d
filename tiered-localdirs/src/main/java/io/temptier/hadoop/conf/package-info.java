// SPDX-License-Identifier: Apache-2.0
/**
 * Configuration keys and the checks of their values.
 */
@NullMarked
package io.temptier.hadoop.conf;

import org.jspecify.annotations.NullMarked;
