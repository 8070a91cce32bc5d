// SPDX-License-Identifier: Apache-2.0
/**
 * The operating system: mounts, processes, threads, file systems, and files that other users may
 * have tampered with.
 *
 * <p>May import {@code tier.lang}, nothing else.
 */
package io.temptier.tier.os;
