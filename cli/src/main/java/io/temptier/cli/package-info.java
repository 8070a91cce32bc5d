// SPDX-License-Identifier: Apache-2.0
/** The small pieces that all commands share; each command has a package of its own. */
@NullMarked
package io.temptier.cli;

import org.jspecify.annotations.NullMarked;
