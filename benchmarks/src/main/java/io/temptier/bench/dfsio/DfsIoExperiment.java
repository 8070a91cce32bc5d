/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.temptier.bench.dfsio;

import io.temptier.bench.experiment.Arm;
import io.temptier.bench.experiment.Experiment;
import io.temptier.bench.experiment.Setting;
import io.temptier.bench.experiment.TwoQueues;
import io.temptier.bench.experiment.Workload;
import io.temptier.bench.terasort.TeraSort;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** A question that TestDFSIO answers. */
enum DfsIoExperiment {
  /** Whether HDFS by itself is as fast as it was. */
  DFSIO("HDFS by itself", Setting.of("3 HDDs", 3, Setting.FITS)) {
    @Override
    Workload workload(DfsFiles files, TeraSort sort) {
      return new DfsIo(files);
    }
  },

  /** What temporary data does to HDFS. */
  E5(
      "HDFS beside temporary data",
      Setting.of("two queues", 3, Setting.FITS).withTasks(TwoQueues.TASKS)) {
    @Override
    Workload workload(DfsFiles files, TeraSort sort) {
      return new DfsIoBesideSort(files, sort);
    }
  };

  private final Experiment experiment;

  DfsIoExperiment(String question, Setting setting) {
    this.experiment =
        new Experiment(
            name().toLowerCase(Locale.ROOT),
            question,
            List.of(setting),
            List.of(Arm.STOCK_HDD, Arm.TEMPTIER));
  }

  /** What is measured for it. */
  Experiment experiment() {
    return experiment;
  }

  /** The work that is measured for it. */
  abstract Workload workload(DfsFiles files, TeraSort sort);

  /** The one of that label. */
  static Optional<DfsIoExperiment> of(String label) {
    return Stream.of(values()).filter(one -> one.experiment.label().equals(label)).findFirst();
  }

  /** What {@link #workload} is, for an experiment of that label. */
  static Optional<Class<? extends Workload>> workload(String label) {
    return of(label).map(one -> one == DFSIO ? DfsIo.class : DfsIoBesideSort.class);
  }
}
