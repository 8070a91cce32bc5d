// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.doctor;

import io.temptier.tier.Finding;
import io.temptier.tier.Finding.Severity;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Whether map and reduce tasks will load TempTier. */
final class TaskPluginCheck implements DoctorCheck {
  @Override
  public Topic topic() {
    return Topic.TASKS;
  }

  @Override
  public List<Finding> check(Rollout rollout) {
    List<Finding> findings = new ArrayList<>();
    for (SwitchOn wanted : List.of(SwitchOn.MAP, SwitchOn.REDUCE)) {
      check(rollout, wanted).ifPresent(findings::add);
    }
    return findings;
  }

  private static Optional<Finding> check(Rollout rollout, SwitchOn wanted) {
    String value = rollout.job().getTrimmed(wanted.key(), "");
    List<String> listed = SwitchOn.classes(value);
    String side = wanted.equals(SwitchOn.MAP) ? "map" : "reduce";
    Optional<String> misspelt = wanted.misspelt(listed);
    if (misspelt.isPresent()) {
      String consequence =
          misspelt.get()
              + " does not exist: every "
              + side
              + " task will fail with ClassNotFoundException.";
      return Optional.of(finding(rollout, wanted, Severity.ERROR, consequence, wanted.paste()));
    }
    if (listed.contains(wanted.className())) {
      return loadable(rollout, wanted);
    }
    if (!SwitchOn.wanted(rollout)) {
      return Optional.empty();
    }
    String consequence =
        wanted.equals(SwitchOn.MAP)
            ? "Spills and outputs of map tasks are placed by stock Hadoop, on any tier."
            : "What reduce tasks fetch and merge is placed by stock Hadoop, on any tier.";
    if (rollout.isSet(rollout.job(), wanted.key())) {
      consequence += " Only one class can hold this place, and it is another one.";
    }
    return Optional.of(finding(rollout, wanted, Severity.WARNING, consequence, wanted.paste()));
  }

  private static Optional<Finding> loadable(Rollout rollout, SwitchOn wanted) {
    try {
      Class.forName(wanted.className(), false, TaskPluginCheck.class.getClassLoader());
      return Optional.empty();
    } catch (ClassNotFoundException | LinkageError e) {
      String consequence =
          "This installation of TempTier cannot load the class ("
              + e
              + "). Tasks with the same jars will fail.";
      String remedy = "Install TempTier's jars anew, all of one version.";
      return Optional.of(finding(rollout, wanted, Severity.ERROR, consequence, remedy));
    }
  }

  private static Finding finding(
      Rollout rollout, SwitchOn wanted, Severity severity, String consequence, String remedy) {
    return new Finding(
        severity,
        wanted.key(),
        rollout.job().getTrimmed(wanted.key(), ""),
        rollout.origin(rollout.job(), wanted.key()),
        consequence,
        remedy);
  }
}
