// SPDX-License-Identifier: Apache-2.0
/**
 * Placement in the tasks of a MapReduce job: what a map task spills and merges, and what a reduce
 * task fetches and merges. Two job properties switch it on; the layout of the files, their formats
 * and every line of sorting and merging stay Hadoop's own.
 */
@NullMarked
package io.temptier.mapreduce;

import org.jspecify.annotations.NullMarked;
