// SPDX-License-Identifier: Apache-2.0
/** Empties a local dir whose disk is to be pulled, and says when it may be. */
package io.temptier.cli.drain;
