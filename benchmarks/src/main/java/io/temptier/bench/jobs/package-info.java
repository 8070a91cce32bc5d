// SPDX-License-Identifier: Apache-2.0
/**
 * Experiments whose trials are jobs on a cluster: the same work on an emulated node, on disks or on
 * a cluster of the user's, its temporary data on HDDs, on a fast disk, or on both.
 */
@NullMarked
package io.temptier.bench.jobs;

import org.jspecify.annotations.NullMarked;
