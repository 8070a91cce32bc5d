// SPDX-License-Identifier: Apache-2.0
/**
 * Claims: bytes promised to writers of all processes and users of a node, kept as files in each
 * local dir.
 */
package io.temptier.tier.claim;
