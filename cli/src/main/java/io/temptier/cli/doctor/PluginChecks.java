// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.doctor;

import io.temptier.tier.Finding;
import io.temptier.tier.Finding.Severity;
import io.temptier.tier.NearestName;
import io.temptier.tier.lang.Immutable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/** Whether the NodeManager and tasks load TempTier, and what else they load that matters to it. */
final class PluginChecks {
  private static final String SERVICES = YarnConfiguration.NM_AUX_SERVICES;
  private static final String MANIFEST = YarnConfiguration.NM_AUX_SERVICES_MANIFEST_ENABLED;
  private static final String SHUFFLE = "mapreduce_shuffle";
  private static final String STOCK_HANDLER = "org.apache.hadoop.mapred.ShuffleHandler";
  private static final String EXECUTOR = YarnConfiguration.NM_CONTAINER_EXECUTOR;

  private PluginChecks() {}

  /** Whether the NodeManager will load TempTier. */
  static List<Finding> listener(Rollout rollout) {
    PluginClass ours = PluginClass.NODE_MANAGER;
    String value = rollout.node().getTrimmed(ours.key(), "");
    List<String> listed = PluginClass.classes(value);
    if (listed.contains(ours.className())) {
      return Immutable.listOf();
    }
    // In this list any other class is somebody else's, unless it is one letter or so off.
    Optional<String> misspelt = ours.misspelt(listed);
    if (misspelt.isPresent()) {
      String mended = String.join(",", listed).replace(misspelt.get(), ours.className());
      return doesNotExist(rollout, ours, misspelt.get(), ours.paste(mended));
    }
    if (!PluginClass.wanted(rollout)) {
      return Immutable.listOf();
    }
    boolean inMapred =
        rollout
            .file(Rollout.MAPRED_SITE)
            .map(Stream::of)
            .orElseGet(Stream::empty)
            .anyMatch(file -> !file.of(ours.key()).isEmpty());
    Optional<String> typo =
        rollout.keys().contains(ours.key())
            ? Optional.empty()
            : NearestName.of(ours.key(), rollout.keys());
    String others = value.isEmpty() ? "" : String.join(",", listed) + ",";
    return rollout.ofNode(
        Severity.ERROR,
        ours.key(),
        "The NodeManager does not load TempTier, and behaves as stock Hadoop: what it"
            + " localizes, work dirs included, lies on any tier, and tasks find no marker of"
            + " its tiers."
            + (inMapred
                ? " The property in mapred-site.xml has no effect: NodeManagers do not read it."
                : ""),
        typo.map(key -> "Is " + key + " meant to be this property? ").orElse("")
            + ours.paste(others + ours.className()));
  }

  private static List<Finding> doesNotExist(
      Rollout rollout, PluginClass ours, String misspelt, String paste) {
    return rollout.ofNode(
        Severity.ERROR,
        ours.key(),
        misspelt + " does not exist: the NodeManager will not start (ClassNotFoundException).",
        "The class is " + ours.className() + ". " + paste);
  }

  /** Whether the NodeManager serves map outputs, by which handler, and what else it serves. */
  static List<Finding> auxServices(Rollout rollout) {
    if (rollout.node().getBoolean(MANIFEST, false)) {
      return manifest(rollout);
    }
    List<String> services = Immutable.listOf(rollout.node().getTrimmedStrings(SERVICES));
    List<Finding> findings = new ArrayList<>();
    if (services.contains(SHUFFLE)) {
      findings.addAll(shuffleHandler(rollout));
    } else {
      String value = rollout.node().getTrimmed(SERVICES, "");
      String handler = PluginClass.SHUFFLE.key();
      boolean meant = rollout.isSet(rollout.node(), handler);
      findings.addAll(
          rollout.ofNode(
              meant ? Severity.ERROR : Severity.WARNING,
              SERVICES,
              "No shuffle service: MapReduce jobs cannot fetch map outputs, with TempTier or"
                  + " without."
                  + (meant ? " " + handler + " alone loads nothing." : ""),
              Paste.into(
                  Rollout.YARN_SITE, SERVICES, value.isEmpty() ? SHUFFLE : value + "," + SHUFFLE)));
    }
    services.stream()
        .filter(service -> !service.equals(SHUFFLE) && service.contains("shuffle"))
        .forEach(service -> findings.addAll(otherService(rollout, service)));
    return findings;
  }

  /** The NodeManager reads services from elsewhere. */
  private static List<Finding> manifest(Rollout rollout) {
    String file = rollout.node().getTrimmed(YarnConfiguration.NM_AUX_SERVICES_MANIFEST, "");
    return rollout.ofNode(
        Severity.UNKNOWN,
        MANIFEST,
        "The NodeManager takes its services from "
            + (file.isEmpty() ? "its REST interface" : file)
            + " and passes over "
            + SERVICES
            + ": which shuffle handler it loads is not known here.",
        "Set it to false, or give "
            + SHUFFLE
            + " there the class.name "
            + PluginClass.SHUFFLE.className()
            + ".");
  }

  private static List<Finding> shuffleHandler(Rollout rollout) {
    PluginClass ours = PluginClass.SHUFFLE;
    String name = rollout.node().getTrimmed(ours.key(), STOCK_HANDLER);
    if (name.equals(ours.className())) {
      return ownClassLoader(rollout);
    }
    if (name.equals(STOCK_HANDLER)) {
      return PluginClass.wanted(rollout)
          ? rollout.ofNode(
              Severity.WARNING,
              ours.key(),
              "Hadoop's own shuffle handler works, but slow disks stall it: one that is busy"
                  + " holds up the fetches of what lies on fast ones, too. Nothing is demoted"
                  + " before a fast tier is full.",
              ours.paste())
          : Immutable.listOf();
    }
    if (ours.misspelt(Immutable.listOf(name)).isPresent()) {
      return doesNotExist(rollout, ours, name, ours.paste());
    }
    return rollout.ofNode(
        Severity.INFO,
        ours.key(),
        "Neither Hadoop's shuffle handler nor TempTier's. TempTier keeps map outputs where"
            + " YARN's users expect them, so it should serve them, but this was not tried;"
            + " nothing is demoted.",
        "Try it on one NodeManager first.");
  }

  /** Loaded apart from what runs in the NodeManager, the handler does not hear of applications. */
  private static List<Finding> ownClassLoader(Rollout rollout) {
    return Stream.of(
            YarnConfiguration.NM_AUX_SERVICES_CLASSPATH,
            YarnConfiguration.NM_AUX_SERVICE_REMOTE_CLASSPATH)
        .map(pattern -> String.format(pattern, SHUFFLE))
        .filter(key -> !rollout.node().getTrimmed(key, "").isEmpty())
        .findFirst()
        .map(
            key ->
                rollout.ofNode(
                    Severity.WARNING,
                    key,
                    "The handler gets a class loader of its own, apart from what TempTier runs in"
                        + " the NodeManager: it serves as Hadoop's own handler does, and nothing"
                        + " is demoted.",
                    "Remove it. The jars are on the NodeManager's class path already."))
        .orElse(Immutable.listOf());
  }

  private static List<Finding> otherService(Rollout rollout, String service) {
    if (service.contains("spark")) {
      return rollout.ofNode(
          Severity.INFO,
          SERVICES,
          service
              + " serves what executors leave, over a port of its own. It finds what TempTier's"
              + " plugin for Spark placed, and deletes links only: what they led to is swept up"
              + " within minutes.",
          "Nothing to do. See docs/spark.md.");
    }
    return rollout.ofNode(
        Severity.INFO,
        SERVICES,
        String.format(
            "%s serves its own clients, over a port of its own, as without TempTier. What those"
                + " read stays where it was written: only outputs of map tasks are demoted.",
            service),
        "Nothing to do. Room for such files on a fast tier: see temptier.app-share.");
  }

  /** What running tasks as other users means for TempTier. */
  static List<Finding> containerExecutor(Rollout rollout) {
    if (!rollout.node().getTrimmed(EXECUTOR, "").endsWith(".LinuxContainerExecutor")) {
      return Immutable.listOf();
    }
    return rollout.ofNode(
        Severity.INFO,
        EXECUTOR,
        "Tasks run as the users who submit them. They share the tiers through the folder"
            + " .temptier/claims of each local dir, which anybody may write to and nobody may"
            + " clear, like /tmp (mode 1777). Their map outputs are theirs, so that the"
            + " NodeManager has them demoted by a process that runs as the user, which the"
            + " container executor starts as it starts localizers.",
        "Nothing to do where containers run without Docker or runC; those need the folder .temptier"
            + " of each local dir mounted: see docs/security.md. If a hardening script resets modes"
            + " under the local dirs, leave out .temptier.");
  }
}
