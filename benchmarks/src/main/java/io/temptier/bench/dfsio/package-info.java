// SPDX-License-Identifier: Apache-2.0
/**
 * Hadoop's TestDFSIO on an emulated node, by itself and beside a sort
 * whose temporary data lies on the disks of HDFS or does not.
 */
@NullMarked
package io.temptier.bench.dfsio;

import org.jspecify.annotations.NullMarked;
