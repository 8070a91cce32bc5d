// SPDX-License-Identifier: Apache-2.0
/**
 * Configuration keys and the checks of their values.
 *
 * <p>May import the model, settings and the kernel's classifier. Another key: a member of {@code
 * TierKey} and a line of {@code ConfReader}; another check: a class that adds findings, called by
 * {@code TierConfig}.
 */
package io.temptier.hadoop.conf;
