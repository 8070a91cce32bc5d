// SPDX-License-Identifier: Apache-2.0
/**
 * What the NodeManager tells the tasks of a node: its tiers and settings, and the files in each
 * local dir that have them; whether a dir lies on what it was pinned to.
 *
 * <p>May import media, policies and the operating system. A setting is a property of {@code
 * TierSettings}, a key of {@code TierKey}, its line in {@code ConfReader}, and a line of {@code
 * MarkerCodec} in each direction; a new version of the format where an older reader would be wrong.
 */
package io.temptier.tier.marker;
