// SPDX-License-Identifier: Apache-2.0
/**
 * Placement of temporary files on tiers of local storage: which media there are, how much room each
 * has left, what concurrent writers were promised, and where a new file goes. This package imports
 * no Hadoop, so that the simulator and the tests run the very same code as a NodeManager.
 */
@NullMarked
package io.temptier.tier;

import org.jspecify.annotations.NullMarked;
