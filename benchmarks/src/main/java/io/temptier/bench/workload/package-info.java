// SPDX-License-Identifier: Apache-2.0
/**
 * Experiments whose trials are jobs on a cluster: the same work on an emulated node, on disks or on
 * a cluster of the user's, its temporary data on HDDs, on a fast disk, or on both. The work is
 * sorts, alone and beside other work, TestDFSIO, Gridmix, an application of Spark, TPC-DS, a DAG of
 * Tez.
 */
@NullMarked
package io.temptier.bench.workload;

import org.jspecify.annotations.NullMarked;
