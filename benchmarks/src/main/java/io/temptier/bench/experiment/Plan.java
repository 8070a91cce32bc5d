// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.experiment;

import io.temptier.lab.testbed.DiskSpeed;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * How an experiment is going to be measured: what its file says, and what the command line says.
 *
 * @param skipped lines that say which arms are not run, and why
 * @param properties of TempTier's in the arms that have it, or of S3A
 */
public record Plan(
    Experiment experiment, List<String> skipped, Site site, Map<String, String> properties) {
  public Plan {
    skipped = List.copyOf(skipped);
    properties = Map.copyOf(properties);
  }

  public Plan with(Experiment other, List<String> without) {
    return new Plan(other, without, site, properties);
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

  /** For people: label and question, or the question alone where it begins with the label. */
  public String title() {
    String label = label().toUpperCase(Locale.ROOT);
    String question = experiment.question();
    return question.toUpperCase(Locale.ROOT).startsWith(label) ? question : label + ": " + question;
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
