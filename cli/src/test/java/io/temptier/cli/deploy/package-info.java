// SPDX-License-Identifier: Apache-2.0

/** Tests of what is shipped to roll TempTier out. */
@NullMarked
package io.temptier.cli.deploy;

import org.jspecify.annotations.NullMarked;
