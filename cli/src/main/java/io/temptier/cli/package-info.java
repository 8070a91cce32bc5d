// SPDX-License-Identifier: Apache-2.0
/** The small pieces that all commands share; each command has a package of its own. */
package io.temptier.cli;
