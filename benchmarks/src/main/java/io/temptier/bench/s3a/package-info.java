// SPDX-License-Identifier: Apache-2.0
/** Ways to set S3A up, side by side, on a real object store, and a Ceph to try it on. */
@NullMarked
package io.temptier.bench.s3a;

import org.jspecify.annotations.NullMarked;
