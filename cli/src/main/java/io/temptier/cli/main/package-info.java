// SPDX-License-Identifier: Apache-2.0
/** The {@code temptier} command line as a whole: all commands, and what becomes of failures. */
package io.temptier.cli.main;
