// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.s3a.client;

/**
 * What an arm is asked to do.
 *
 * @param count how much of it; each {@link Work} says of what
 * @param seed of what is random in it: the same for all arms, so that they do the same
 */
public record Request(Work work, long count, long seed, String folder) {}
