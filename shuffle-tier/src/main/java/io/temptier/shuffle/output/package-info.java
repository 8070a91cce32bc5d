// SPDX-License-Identifier: Apache-2.0
/**
 * Map outputs on disk: name, index, how their files are opened, how an output is found and
 * remembered. May import {@code io.temptier.shuffle.lane} and tiered-localdirs.
 *
 * <p>Another place to look: a step of {@link io.temptier.shuffle.output.OutputLocator}, on the lane
 * of its device.
 */
package io.temptier.shuffle.output;
