// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.conf;

import io.temptier.tier.LocalDir;
import io.temptier.tier.kernel.KernelClassifier.Classification;

/**
 * A configured dir and what the host says of it.
 *
 * @param dir the dir as placement will see it
 * @param kernel what the kernel says it lies on
 * @param totalBytes size of its file system; not positive when unknown
 */
record NodeDir(LocalDir dir, Classification kernel, long totalBytes) {}
