// SPDX-License-Identifier: Apache-2.0
/** A page of charts and tables; charts are data. */
package io.temptier.cli.report;
