// SPDX-License-Identifier: Apache-2.0
/** {@code temptier explain}: where files lie and why. */
@NullMarked
package io.temptier.cli.explain;

import org.jspecify.annotations.NullMarked;
