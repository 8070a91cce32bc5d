// SPDX-License-Identifier: Apache-2.0
/**
 * Files that the NodeManager leaves in each local dir for the tasks of the node: its tiers and
 * settings.
 *
 * <p>May import settings and the operating system. Another value: a line of {@code MarkerCodec} in
 * each direction, and a new version of the format where an older reader would be wrong.
 */
package io.temptier.tier.marker;
