// SPDX-License-Identifier: Apache-2.0
/**
 * Segments of an answer: opened, read on lanes and sent part by part. May import {@code
 * io.temptier.shuffle.output}, {@code io.temptier.shuffle.lane} and tiered-localdirs.
 *
 * <p>Another way to read or send a part: {@code load} of {@link
 * io.temptier.shuffle.segment.SegmentPart}, which all of them go through.
 */
package io.temptier.shuffle.segment;
