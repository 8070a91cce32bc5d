// SPDX-License-Identifier: Apache-2.0
/** A DAG of Tez whose temporary data lies on different disks. */
@NullMarked
package io.temptier.bench.tez;

import org.jspecify.annotations.NullMarked;
