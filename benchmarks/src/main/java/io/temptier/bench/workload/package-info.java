// SPDX-License-Identifier: Apache-2.0
/**
 * What experiments have a cluster do: sorts, alone and beside other work, TestDFSIO, Gridmix, an
 * application of Spark, TPC-DS, a DAG of Tez.
 */
@NullMarked
package io.temptier.bench.workload;

import org.jspecify.annotations.NullMarked;
