// SPDX-License-Identifier: Apache-2.0
/** A real Ceph on loopback, to try S3A on: a monitor, a few OSDs, and its object gateways. */
@NullMarked
package io.temptier.bench.ceph;

import org.jspecify.annotations.NullMarked;
