// SPDX-License-Identifier: Apache-2.0
/**
 * Moves map outputs that nobody needs soon from a fast tier to a slower one before the fast one is
 * full. Knows the shuffle handler only through the small interfaces of this package.
 */
package io.temptier.shuffle.demotion;
