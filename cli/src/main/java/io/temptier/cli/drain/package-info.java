// SPDX-License-Identifier: Apache-2.0
/** Empties a local dir whose disk is to be pulled, and says when it may be. */
@NullMarked
package io.temptier.cli.drain;

import org.jspecify.annotations.NullMarked;
