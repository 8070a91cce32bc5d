// SPDX-License-Identifier: Apache-2.0
/** {@code temptier status}: what a running NodeManager does. */
package io.temptier.cli.status;
