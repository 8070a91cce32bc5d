// SPDX-License-Identifier: Apache-2.0
/** The {@code temptier} command line: one class a command, and the small pieces they share. */
@NullMarked
package io.temptier.cli;

import org.jspecify.annotations.NullMarked;
