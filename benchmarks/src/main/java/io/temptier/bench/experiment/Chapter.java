// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.experiment;

/**
 * An experiment, and the work that is measured for it.
 *
 * @param experiment the question
 * @param workload the work
 */
public record Chapter(Experiment experiment, Workload workload) {}
