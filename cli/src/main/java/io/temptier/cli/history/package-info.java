// SPDX-License-Identifier: Apache-2.0
/** {@code temptier history}: what became of applications' temporary data, after they ended too. */
package io.temptier.cli.history;
