// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import io.temptier.tier.LocalDir;

/** Tells whether a device has better things to do than to take demoted files. */
@FunctionalInterface
public interface DeviceLoad {
  /** Whether shuffle reads run or wait on the device of {@code dir} now. Must not block. */
  boolean busy(LocalDir dir);
}
