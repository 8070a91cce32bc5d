// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.doctor;

import io.temptier.tier.NearestName;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.text.Finding;
import io.temptier.tier.text.Finding.Severity;
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

  /** Whether the NodeManager serves map outputs, and by which handler. */
  static List<Finding> auxServices(Rollout rollout) {
    if (rollout.node().getBoolean(MANIFEST, false)) {
      return manifest(rollout);
    }
    if (Immutable.listOf(rollout.node().getTrimmedStrings(SERVICES)).contains(SHUFFLE)) {
      return shuffleHandler(rollout);
    }
    String value = rollout.node().getTrimmed(SERVICES, "");
    String handler = PluginClass.SHUFFLE.key();
    boolean meant = rollout.isSet(rollout.node(), handler);
    return rollout.ofNode(
        meant ? Severity.ERROR : Severity.WARNING,
        SERVICES,
        "No shuffle service: MapReduce jobs cannot fetch map outputs, with TempTier or without."
            + (meant ? " " + handler + " alone loads nothing." : ""),
        Paste.into(Rollout.YARN_SITE, SERVICES, value.isEmpty() ? SHUFFLE : value + "," + SHUFFLE));
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
    // Somebody else's, which finds map outputs where YARN's users expect them.
    return Immutable.listOf();
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
}
