// SPDX-License-Identifier: Apache-2.0
/**
 * What a map output is on disk and where it lies: its name, its index, how its files are opened, how
 * it is found and remembered. May import {@code io.temptier.shuffle.lane} and tiered-localdirs.
 *
 * <p>Another place to look: a step of {@link io.temptier.shuffle.output.OutputLocator}, on the lane
 * of its device.
 */
package io.temptier.shuffle.output;
