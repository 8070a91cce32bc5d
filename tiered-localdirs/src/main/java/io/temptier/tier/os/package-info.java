// SPDX-License-Identifier: Apache-2.0
/**
 * What the operating system says: mounts, processes, file systems, and files that other users may
 * have tampered with.
 */
@NullMarked
package io.temptier.tier.os;

import org.jspecify.annotations.NullMarked;
