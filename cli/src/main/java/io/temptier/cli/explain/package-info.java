// SPDX-License-Identifier: Apache-2.0
/** {@code temptier explain}: where files lie and why. */
package io.temptier.cli.explain;
