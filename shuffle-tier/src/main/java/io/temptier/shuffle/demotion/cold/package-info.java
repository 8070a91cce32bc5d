// SPDX-License-Identifier: Apache-2.0
/**
 * Which map outputs of a dir can leave it, and in what order. Looks, and changes nothing.
 *
 * <p>May import {@code move}. A new kind of output is found by {@link
 * io.temptier.shuffle.demotion.cold.OutputScanner}, and proved whole by {@link
 * io.temptier.shuffle.demotion.cold.CompleteOutput}.
 */
package io.temptier.shuffle.demotion.cold;
