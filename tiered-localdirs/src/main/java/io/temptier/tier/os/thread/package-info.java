// SPDX-License-Identifier: Apache-2.0
/**
 * Threads: borrowed ones, those that do their work again after each pause, and their end in time.
 * Imports nothing of TempTier.
 */
package io.temptier.tier.os.thread;
