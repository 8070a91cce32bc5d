// SPDX-License-Identifier: Apache-2.0
/**
 * Claims: bytes promised to writers of all processes and users of a node, kept in each local dir as
 * ledgers, one file for each process.
 *
 * <p>May import the marker, the operating system and texts; knows neither rooms nor placements.
 * Another kind of holder, beside a process and a container: a form of {@code LedgerName}, and how
 * {@code OtherLedgers} tells that it lives.
 */
package io.temptier.tier.claim;
