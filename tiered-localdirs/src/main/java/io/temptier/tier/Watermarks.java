// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier;

/**
 * Between which fills demotion works, as shares of a file system.
 *
 * @param high demotion starts once a dir is filled so far, 0 to 1
 * @param low and stops when it is filled no further than that; at most {@code high}
 */
public record Watermarks(double high, double low) {}
