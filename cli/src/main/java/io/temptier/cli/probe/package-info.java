// SPDX-License-Identifier: Apache-2.0
/** {@code temptier probe}: what a local dir's disk can do, and the order of tiers it makes. */
package io.temptier.cli.probe;
