// SPDX-License-Identifier: Apache-2.0
/**
 * The NodeManager's side. {@link io.temptier.hadoop.node.NodeService} is what its plug-ins share;
 * it publishes the tiers to tasks, watches devices, collects journals and reports: through JMX and
 * metrics, which reads what the others know and changes nothing.
 *
 * <p>May import all of this module but the class above it. Another plug-in: a door that asks {@code
 * NodeService} for what it needs and does no work itself; another piece of work: a call of {@code
 * NodeWork} or, where it touches a disk, of {@code DeviceUpkeep}; another value in JMX: a member of
 * the bean's JSON, told in {@code TempTierInfoMXBean}; another figure of the history: a member of
 * {@code NodeHistory}.
 */
package io.temptier.hadoop.node;
