// SPDX-License-Identifier: Apache-2.0
/**
 * What a file system says of a dir: its bytes and inodes, what lies below it, and whether it is the
 * disk that belongs there. Imports the operating system and the marker, not the gauges above it.
 */
package io.temptier.tier.room.capacity;
