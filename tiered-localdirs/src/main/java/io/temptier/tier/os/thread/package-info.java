// SPDX-License-Identifier: Apache-2.0
/**
 * Threads that are borrowed, named, at work each so often, and ended in time. Imports nothing of TempTier but {@code
 * tier.lang}.
 */
package io.temptier.tier.os.thread;
