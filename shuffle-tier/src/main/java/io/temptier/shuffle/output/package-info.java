// SPDX-License-Identifier: Apache-2.0
/**
 * Map outputs on disk, and the answers that send segments of them: how an output is named, found,
 * remembered and opened, and its segments read on lanes and sent part by part. May import {@code
 * io.temptier.shuffle.lane} and tiered-localdirs.
 *
 * <p>Another place to look: a step of {@link io.temptier.shuffle.output.OutputLocator}, on the lane
 * of its device. Another way to read or send a part: {@code load} of {@link
 * io.temptier.shuffle.output.SegmentPart}, which all of them go through.
 */
package io.temptier.shuffle.output;
