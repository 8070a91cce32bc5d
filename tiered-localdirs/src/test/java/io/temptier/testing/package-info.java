// SPDX-License-Identifier: Apache-2.0
/** Test doubles and real parts shared by tests. */
@NullMarked
package io.temptier.testing;

import org.jspecify.annotations.NullMarked;
