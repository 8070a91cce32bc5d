// SPDX-License-Identifier: Apache-2.0
/**
 * {@code temptier plan}: how large the fast disk should be, by production's placement policy and
 * watermarks over the trace of a cluster.
 */
package io.temptier.cli.plan;
