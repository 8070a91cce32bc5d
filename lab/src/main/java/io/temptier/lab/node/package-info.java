// SPDX-License-Identifier: Apache-2.0
/** The disks of a worker node, emulated or a user's own, and Hadoop started on them. */
@NullMarked
package io.temptier.lab.node;

import org.jspecify.annotations.NullMarked;
