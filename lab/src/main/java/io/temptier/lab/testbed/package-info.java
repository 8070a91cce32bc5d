// SPDX-License-Identifier: Apache-2.0
/**
 * Disks to measure on: emulated ones of a known speed, cold page caches, and the certainty that
 * nothing of it outlives the command, however that ends.
 */
@NullMarked
package io.temptier.lab.testbed;

import org.jspecify.annotations.NullMarked;
