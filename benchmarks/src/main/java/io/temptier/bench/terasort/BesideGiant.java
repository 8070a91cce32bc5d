// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.terasort;

import io.temptier.bench.jobs.BackgroundJob;
import io.temptier.bench.jobs.JobWorkload;
import io.temptier.bench.jobs.NodeSetting;
import io.temptier.bench.jobs.TrialRun;
import io.temptier.bench.jobs.TwoQueues;
import io.temptier.lab.cluster.ClusterSpec;

/** Work that is measured alone, and beside a giant sort in a queue of its own. */
public interface BesideGiant extends JobWorkload {
  TeraSort giant();

  @Override
  default long blockBytes(NodeSetting setting) {
    return giant().blockBytes(setting);
  }

  @Override
  default void configure(ClusterSpec.Builder spec, NodeSetting setting) {
    TwoQueues.configure(spec);
  }

  /** Starts the sort, and waits until its maps are at work. */
  default BackgroundJob startGiant(TrialRun trial) throws InterruptedException {
    return startGiant(trial, trial.output());
  }

  /** The same into a folder of its own, for a trial that needs the sort more than once. */
  default BackgroundJob startGiant(TrialRun trial, String to) throws InterruptedException {
    BackgroundJob background =
        BackgroundJob.start(
            output -> giant().sort(trial, TwoQueues.large(), output, TeraSort.IN, to));
    background.awaitWork();
    return background;
  }
}
