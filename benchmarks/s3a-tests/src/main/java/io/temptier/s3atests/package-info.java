// SPDX-License-Identifier: Apache-2.0
/** Hadoop's own tests of S3A, on a real Ceph. */
@NullMarked
package io.temptier.s3atests;

import org.jspecify.annotations.NullMarked;
