// SPDX-License-Identifier: Apache-2.0
/** The {@code bench} command, which each benchmark is a sub-command of. */
@NullMarked
package io.temptier.bench;

import org.jspecify.annotations.NullMarked;
