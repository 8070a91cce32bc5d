// SPDX-License-Identifier: Apache-2.0
/** NodeManagers that run: which there are, and how they are asked for their beans. */
package io.temptier.cli.nodes;
