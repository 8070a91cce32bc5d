// SPDX-License-Identifier: Apache-2.0
/**
 * Configuration keys and the checks of their values.
 *
 * <p>May import the model, settings and the kernel's classifier. Another key: a member of {@code
 * TierKey} and a line of {@code ConfReader}; another check: a row of {@code findings.txt} and a
 * call of {@code ConfReader.note}.
 */
package io.temptier.hadoop.conf;
