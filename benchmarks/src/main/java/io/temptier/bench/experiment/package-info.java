// SPDX-License-Identifier: Apache-2.0
/**
 * What every experiment has: arms that take turns in each round, trials that are kept so that a run
 * can be continued, figures, goals, and one form of result. A plan says how a trial is made.
 */
@NullMarked
package io.temptier.bench.experiment;

import org.jspecify.annotations.NullMarked;
