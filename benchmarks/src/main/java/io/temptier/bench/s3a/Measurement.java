// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.s3a;

/**
 * One arm, one pattern, one round.
 *
 * @param seconds that it took
 * @param bytes that the reader or writer wanted
 * @param storeBytes that the stream took from the store for them, 0 when it does not say
 * @param requests for objects that it took, 0 when that is not known
 */
record Measurement(double seconds, long bytes, long storeBytes, long requests) {}
