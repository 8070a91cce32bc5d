// SPDX-License-Identifier: Apache-2.0
/**
 * Tiers of local storage and the choice among them: which media there are, which dirs lie on them, the
 * settings, and the policy that says where a new file goes. The packages below it find out what the
 * policy is told, and keep what was decided. None of them imports Hadoop, so that {@code temptier
 * plan} and the tests run the very same code as a NodeManager.
 */
package io.temptier.tier;
