// SPDX-License-Identifier: Apache-2.0
/**
 * A page of charts and tables, and what it is made of: charts as data, samples with their spread,
 * and facts of the machine.
 */
package io.temptier.cli.report;
