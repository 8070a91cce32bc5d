// SPDX-License-Identifier: Apache-2.0
/** A real Ceph with object gateways on the loopback address, of Debian's own programs. */
@NullMarked
package io.temptier.lab.ceph;

import org.jspecify.annotations.NullMarked;
