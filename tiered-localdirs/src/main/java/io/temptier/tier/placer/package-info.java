// SPDX-License-Identifier: Apache-2.0
/**
 * Placement of a file: asks the policy, claims the bytes, checks that they fit, and follows the file
 * until it is complete.
 */
package io.temptier.tier.placer;
