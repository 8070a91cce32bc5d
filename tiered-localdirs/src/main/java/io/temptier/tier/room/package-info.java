// SPDX-License-Identifier: Apache-2.0
/**
 * How much room a local dir has: what its file system has free, less reserves, caps and claims.
 */
package io.temptier.tier.room;
