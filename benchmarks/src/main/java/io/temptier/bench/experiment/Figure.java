// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.experiment;

/**
 * A figure of a workload's own, beside its seconds.
 *
 * @param name for programs; what {@link Outcome#figures} calls it
 * @param title for people, with its unit, such as {@code write, MB/s}
 */
public record Figure(String name, String title) {}
