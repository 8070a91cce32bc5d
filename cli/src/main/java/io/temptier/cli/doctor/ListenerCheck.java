// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.doctor;

import io.temptier.tier.Finding;
import io.temptier.tier.Finding.Severity;
import io.temptier.tier.NearestName;
import java.util.List;
import java.util.Optional;

/** Whether the NodeManager will load TempTier. */
final class ListenerCheck implements DoctorCheck {
  @Override
  public Topic topic() {
    return Topic.NODE_MANAGER;
  }

  @Override
  public List<Finding> check(Rollout rollout) {
    SwitchOn wanted = SwitchOn.NODE_MANAGER;
    String value = rollout.node().getTrimmed(wanted.key(), "");
    List<String> listed = SwitchOn.classes(value);
    Optional<String> misspelt = misspelt(wanted, listed);
    if (misspelt.isPresent()) {
      return List.of(
          finding(
              rollout,
              Severity.ERROR,
              value,
              misspelt.get()
                  + " does not exist: the NodeManager will not start (ClassNotFoundException).",
              "The class is "
                  + wanted.className()
                  + ". "
                  + Paste.into(wanted.file(), wanted.key(), mended(listed, misspelt.get()))));
    }
    if (listed.contains(wanted.className()) || !SwitchOn.wanted(rollout)) {
      return List.of();
    }
    return List.of(notListed(rollout, value, listed));
  }

  /** In this list any other class is somebody else's, unless it is one letter or so off. */
  private static Optional<String> misspelt(SwitchOn wanted, List<String> listed) {
    return listed.contains(wanted.className()) ? Optional.empty() : wanted.misspelt(listed);
  }

  private static String mended(List<String> listed, String misspelt) {
    return String.join(",", listed).replace(misspelt, SwitchOn.NODE_MANAGER.className());
  }

  private static Finding notListed(Rollout rollout, String value, List<String> listed) {
    SwitchOn wanted = SwitchOn.NODE_MANAGER;
    String consequence =
        "The NodeManager does not load TempTier, and behaves as stock Hadoop: what it localizes,"
            + " work dirs included, lies on any tier, and tasks find no marker of its tiers.";
    if (rollout.file(Rollout.MAPRED_SITE).stream().anyMatch(f -> !f.of(wanted.key()).isEmpty())) {
      consequence += " The property in mapred-site.xml has no effect: NodeManagers do not read it.";
    }
    Optional<String> typo =
        rollout.keys().contains(wanted.key())
            ? Optional.empty()
            : NearestName.of(wanted.key(), rollout.keys());
    String others = value.isEmpty() ? "" : String.join(",", listed) + ",";
    return finding(
        rollout,
        Severity.ERROR,
        value,
        consequence,
        typo.map(key -> "Is " + key + " meant to be this property? ").orElse("")
            + Paste.into(wanted.file(), wanted.key(), others + wanted.className()));
  }

  private static Finding finding(
      Rollout rollout, Severity severity, String value, String consequence, String remedy) {
    String key = SwitchOn.NODE_MANAGER.key();
    return new Finding(
        severity, key, value, rollout.origin(rollout.node(), key), consequence, remedy);
  }
}
