// SPDX-License-Identifier: Apache-2.0
/**
 * Room of a local dir: what its file system has free, less reserves, caps and claims.
 *
 * <p>May import claims, the marker, policies and the operating system; knows no placer. Another
 * limit of a dir: a part of {@code DirReading}, and its {@code Reason}.
 */
package io.temptier.tier.room;
