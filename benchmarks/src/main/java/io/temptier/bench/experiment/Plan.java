// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.experiment;

import io.temptier.lab.testbed.DiskSpeed;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * How an experiment is going to be measured: what its file says, and what the command line says.
 *
 * @param skipped lines that say which arms are not run, and why
 * @param confDir the client configuration of the user's cluster, absolute; empty for emulated nodes
 */
public record Plan(Experiment experiment, List<String> skipped, Optional<Path> confDir) {
  public Plan {
    skipped = List.copyOf(skipped);
  }

  public Plan with(Experiment other, List<String> without) {
    return new Plan(other, without, confDir);
  }

  public String label() {
    return experiment.label();
  }

  public int rounds() {
    return experiment.rounds();
  }

  public DiskSpeed slowDisk() {
    return new DiskSpeed(experiment.bounds().slowMbps(), experiment.bounds().slowIops());
  }

  String title() {
    return label().toUpperCase(Locale.ROOT) + ": " + experiment.question();
  }

  public Workload workload() {
    return experiment.workload();
  }

  public List<Part> parts() {
    return workload().parts(this);
  }

  public List<String> settings() {
    return parts().stream().flatMap(part -> part.settings().stream()).toList();
  }

  public int trials() {
    return parts().stream().mapToInt(part -> part.trials(rounds()).size()).sum();
  }

  String description(String setting) {
    String name = setting.split(Setting.ON_HADOOP, 2)[0];
    return workload().description(this, experiment.setting(name));
  }

  Figure compared() {
    return workload().compared();
  }

  List<Figure> figures() {
    return workload().figures(this);
  }
}
