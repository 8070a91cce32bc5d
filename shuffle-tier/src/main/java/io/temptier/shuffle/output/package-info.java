// SPDX-License-Identifier: Apache-2.0
/** What a map output is on disk: its name, its index, and how its files are opened. */
package io.temptier.shuffle.output;
