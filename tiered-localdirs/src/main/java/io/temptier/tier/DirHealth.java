// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier;

/** How a local dir answers, as the NodeManager found. */
public enum DirHealth {
  /** As it should, or nobody knows otherwise. */
  SOUND,
  /** Slower than the tier below: new files avoid it while other dirs have room. */
  SLOW,
  /** Not at all: nobody is to touch it. */
  HUNG
}
