// SPDX-License-Identifier: Apache-2.0
/**
 * HandlerContext map outputs so that a slow disk delays only those who read from it, and moving cold ones
 * down before the fast tier fills.
 */
package io.temptier.shuffle;
