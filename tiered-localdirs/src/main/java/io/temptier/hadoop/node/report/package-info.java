// SPDX-License-Identifier: Apache-2.0
/**
 * What a node tells through JMX and metrics. Reads what the others know and changes nothing. A value
 * is a member of the bean's JSON, said in {@code TempTierInfoMXBean}.
 */
package io.temptier.hadoop.node.report;
