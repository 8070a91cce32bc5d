// SPDX-License-Identifier: Apache-2.0
/**
 * The ways to a node's devices: threads, queues and memory that each may take, so that a slow device
 * delays only those who read from it. May import tiered-localdirs, nothing else of this module.
 *
 * <p>Another number of a medium: a method of {@link io.temptier.shuffle.lane.MediumStats}, told
 * where it happens.
 */
package io.temptier.shuffle.lane;
