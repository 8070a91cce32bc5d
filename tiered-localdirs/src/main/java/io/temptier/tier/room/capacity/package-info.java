// SPDX-License-Identifier: Apache-2.0
/**
 * Capacity of a dir's file system: its bytes and inodes, what lies below the dir, and whether it is
 * the disk that belongs there. Imports the operating system and the marker, not the gauges above
 * it.
 */
package io.temptier.tier.room.capacity;
