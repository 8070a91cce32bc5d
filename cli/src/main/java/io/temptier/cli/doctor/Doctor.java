// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.doctor;

import io.temptier.cli.doctor.DoctorCheck.Topic;
import io.temptier.tier.Finding;
import io.temptier.tier.KernelClassifier;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Runs every check over the files of a folder. */
final class Doctor {
  private final List<DoctorCheck> checks;
  private final KernelClassifier kernel;

  /**
   * A doctor.
   *
   * @param kernel what this machine's kernel knows of dirs
   * @param environment the variables that stand in class paths
   * @param classPath the NodeManager's class path, when the operator names it
   */
  Doctor(KernelClassifier kernel, Map<String, String> environment, Optional<String> classPath) {
    this.kernel = kernel;
    this.checks =
        List.of(
            new MissingFileCheck(),
            new ConflictCheck(),
            new TiersCheck(),
            new ListenerCheck(),
            new AuxServiceCheck(),
            new NodeClasspathCheck(environment, classPath),
            new ContainerExecutorCheck(),
            new TaskPluginCheck(),
            new TaskClasspathCheck(environment),
            new MapReduceLocalDirCheck(),
            new UploadBufferCheck(),
            new DirsHereCheck());
  }

  /**
   * Examines a folder.
   *
   * @return what was found; empty when the folder has no site file
   */
  Optional<Diagnosis> examine(Path confDir) {
    RolloutReader reader = new RolloutReader(confDir, kernel);
    if (!reader.anyFile()) {
      return Optional.empty();
    }
    SortedMap<Topic, List<Finding>> findings = new TreeMap<>();
    Optional<Rollout> rollout = reader.read();
    if (rollout.isPresent()) {
      Secrets secrets = new Secrets(rollout.get().job());
      for (DoctorCheck check : checks) {
        List<Finding> found = findings.computeIfAbsent(check.topic(), topic -> new ArrayList<>());
        check.check(rollout.get()).forEach(finding -> found.add(secrets.redact(finding)));
      }
      Comparator<Finding> worstFirst = Comparator.comparing(Finding::severity).reversed();
      findings.values().forEach(found -> found.sort(worstFirst));
    } else {
      findings.put(Topic.FILES, reader.broken());
    }
    return Optional.of(
        new Diagnosis(
            confDir,
            reader.files().stream().map(SiteFile::name).toList(),
            rollout.flatMap(r -> r.tiers().tiers()),
            findings));
  }
}
