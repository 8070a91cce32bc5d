// SPDX-License-Identifier: Apache-2.0
/**
 * Reports of a node through JMX and metrics. Reads what the others know and changes nothing.
 *
 * <p>May import devices, history, metrics, the configuration and the model. Another value: a member
 * of the bean's JSON, told in {@code TempTierInfoMXBean}.
 */
package io.temptier.hadoop.node.report;
