// SPDX-License-Identifier: Apache-2.0
/** {@code temptier doctor}: checks the files of a roll-out before they are rolled out. */
package io.temptier.cli.doctor;
