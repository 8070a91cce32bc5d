// SPDX-License-Identifier: Apache-2.0
/** {@code temptier status}: what a running NodeManager does. */
@NullMarked
package io.temptier.cli.status;

import org.jspecify.annotations.NullMarked;
