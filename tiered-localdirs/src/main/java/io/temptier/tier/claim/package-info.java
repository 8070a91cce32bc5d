// SPDX-License-Identifier: Apache-2.0
/**
 * Claims: bytes promised to writers of all processes and users of a node, kept in each local dir as
 * ledgers, one file for each process and application.
 */
package io.temptier.tier.claim;
