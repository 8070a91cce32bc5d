// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier;

/** How a local dir answers, as the NodeManager found. */
public enum DirHealth {
  /** It answers as it should, or nothing else is known. */
  SOUND,
  /** It answers slower than the tier below: new files avoid it while other dirs have room. */
  SLOW,
  /** It does not answer: no process is to touch it. */
  HUNG
}
