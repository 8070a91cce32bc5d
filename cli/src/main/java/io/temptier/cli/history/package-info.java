// SPDX-License-Identifier: Apache-2.0
/** {@code temptier history}: what became of applications' temporary data, after they ended too. */
@NullMarked
package io.temptier.cli.history;

import org.jspecify.annotations.NullMarked;
