// SPDX-License-Identifier: Apache-2.0
/** A Ceph to try S3A on. */
@NullMarked
package io.temptier.bench.testbed;

import org.jspecify.annotations.NullMarked;
