// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.doctor;

import io.temptier.tier.Finding;
import io.temptier.tier.Finding.Severity;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/** Whether the NodeManager serves map outputs, by which handler, and what else it serves. */
final class AuxServiceCheck implements DoctorCheck {
  private static final String KEY = YarnConfiguration.NM_AUX_SERVICES;
  private static final String SHUFFLE = "mapreduce_shuffle";
  private static final String STOCK = "org.apache.hadoop.mapred.ShuffleHandler";
  private static final String CLASS_KEY = SwitchOn.SHUFFLE.key();
  private static final String CLASSPATH_KEY =
      String.format(YarnConfiguration.NM_AUX_SERVICES_CLASSPATH, SHUFFLE);
  private static final String REMOTE_CLASSPATH_KEY =
      String.format(YarnConfiguration.NM_AUX_SERVICE_REMOTE_CLASSPATH, SHUFFLE);

  @Override
  public Topic topic() {
    return Topic.NODE_MANAGER;
  }

  @Override
  public List<Finding> check(Rollout rollout) {
    Configuration node = rollout.node();
    List<String> services = List.of(node.getTrimmedStrings(KEY));
    List<Finding> findings = new ArrayList<>();
    if (services.contains(SHUFFLE)) {
      handler(rollout).ifPresent(findings::add);
    } else {
      findings.add(noService(rollout));
    }
    services.stream()
        .filter(service -> !service.equals(SHUFFLE) && service.contains("shuffle"))
        .forEach(service -> findings.add(beside(rollout, service)));
    return findings;
  }

  private static Finding noService(Rollout rollout) {
    String value = rollout.node().getTrimmed(KEY, "");
    return finding(
        rollout,
        Severity.WARNING,
        KEY,
        "No shuffle service: MapReduce jobs cannot fetch map outputs, with TempTier or without.",
        Paste.into(Rollout.YARN_SITE, KEY, value.isEmpty() ? SHUFFLE : value + "," + SHUFFLE));
  }

  private static Optional<Finding> handler(Rollout rollout) {
    SwitchOn ours = SwitchOn.SHUFFLE;
    String name = rollout.node().getTrimmed(CLASS_KEY, STOCK);
    if (name.equals(ours.className())) {
      return ownClassLoader(rollout);
    }
    if (name.equals(STOCK)) {
      return SwitchOn.wanted(rollout) ? Optional.of(stock(rollout)) : Optional.empty();
    }
    if (ours.misspelt(List.of(name)).isPresent()) {
      return Optional.of(
          finding(
              rollout,
              Severity.ERROR,
              CLASS_KEY,
              name + " does not exist: the NodeManager will not start (ClassNotFoundException).",
              "The class is " + ours.className() + ". " + ours.paste()));
    }
    return Optional.of(
        finding(
            rollout,
            Severity.INFO,
            CLASS_KEY,
            "Neither Hadoop's shuffle handler nor TempTier's. TempTier keeps map outputs where"
                + " YARN's users expect them, so it should serve them, but this was not tried;"
                + " nothing is demoted.",
            "Try it on one NodeManager first."));
  }

  private static Finding stock(Rollout rollout) {
    return finding(
        rollout,
        Severity.WARNING,
        CLASS_KEY,
        "Hadoop's own shuffle handler works, but slow disks stall it: one that is busy holds up the"
            + " fetches of what lies on fast ones, too. Nothing is demoted before a fast tier is"
            + " full.",
        SwitchOn.SHUFFLE.paste());
  }

  /** Loaded apart from what runs in the NodeManager, the handler does not hear of applications. */
  private static Optional<Finding> ownClassLoader(Rollout rollout) {
    for (String key : List.of(CLASSPATH_KEY, REMOTE_CLASSPATH_KEY)) {
      if (!rollout.node().getTrimmed(key, "").isEmpty()) {
        return Optional.of(
            finding(
                rollout,
                Severity.WARNING,
                key,
                "The handler gets a class loader of its own, apart from what TempTier runs in the"
                    + " NodeManager: it serves as Hadoop's own handler does, and nothing is"
                    + " demoted.",
                "Remove it. The jars are on the NodeManager's class path already."));
      }
    }
    return Optional.empty();
  }

  private static Finding beside(Rollout rollout, String service) {
    boolean spark = service.contains("spark");
    return finding(
        rollout,
        Severity.INFO,
        KEY,
        service
            + (spark ? " serves Spark's files" : " serves its own clients")
            + ", over a port of its own, as without TempTier. What those read stays where it was"
            + " written: only outputs of map tasks are demoted.",
        "Nothing to do. Room for such files on a fast tier: see temptier.app-share.");
  }

  private static Finding finding(
      Rollout rollout, Severity severity, String key, String consequence, String remedy) {
    Configuration node = rollout.node();
    return new Finding(
        severity, key, node.getTrimmed(key, ""), rollout.origin(node, key), consequence, remedy);
  }
}
