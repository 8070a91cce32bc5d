// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier;

/** Health of a local dir, as the NodeManager found. */
public enum DirHealth {
  /** Answers as it should, or nothing else is known. */
  SOUND,
  /** Answers slower than the tier below: new files avoid it while other dirs have room. */
  SLOW,
  /** Unresponsive: no process is to touch it. */
  HUNG
}
