// SPDX-License-Identifier: Apache-2.0
/** An application of Spark whose temporary data lies on different disks. */
@NullMarked
package io.temptier.bench.spark;

import org.jspecify.annotations.NullMarked;
