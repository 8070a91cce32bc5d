// SPDX-License-Identifier: Apache-2.0
/**
 * The allocator that stands in for Hadoop's own, and how it is put in its place.
 */
package io.temptier.hadoop.allocator;
