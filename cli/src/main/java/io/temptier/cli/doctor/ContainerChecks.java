// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.doctor;

import io.temptier.hadoop.conf.JarCheck;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.marker.NodeMarker;
import io.temptier.tier.text.Finding;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/** Checks that TempTier works in the JVMs of containers. Where it does not, stock Hadoop does. */
final class ContainerChecks {
  /** Variables for every container; the CLASSPATH among them is appended to the container's own. */
  private static final String ADMIN = YarnConfiguration.NM_ADMIN_USER_ENV;

  private static final List<String> OF_FRAMEWORKS =
      Immutable.listOf(
          "tez.cluster.additional.classpath.prefix",
          MRJobConfig.MAPREDUCE_APPLICATION_CLASSPATH,
          YarnConfiguration.YARN_APPLICATION_CLASSPATH);

  /** Hadoop makes one of it in each JVM that has the jar. */
  private static final List<String> HOOK = Immutable.listOf("io.temptier.hook.HookFileSystem");

  private static final String RUNTIMES = YarnConfiguration.LINUX_CONTAINER_RUNTIME_ALLOWED_RUNTIMES;

  /** Runtimes whose containers have a file system of their own. */
  private static final List<String> WITH_IMAGES = Immutable.listOf("docker", "runc");

  /** Mounts of a runtime for reading, {@code ro}, or for writing, {@code rw}, as from:to. */
  private static final String MOUNTS = "yarn.nodemanager.runtime.linux.%s.default-%s-mounts";

  private ContainerChecks() {}

  /**
   * The class paths of containers: TempTier on one is all it takes to place what they write. Where
   * none has it, those that seem to be meant to have it are told of.
   *
   * @param byPlugin whether Spark has TempTier's plugin, and a cluster may run Spark alone
   */
  static void classPaths(Rollout rollout, boolean byPlugin, Consumer<Finding> found) {
    if (!rollout.wanted()) {
      return;
    }
    Map<String, String> ofNode = Rollout.variable(rollout.node(), ADMIN, "CLASSPATH");
    Map<String, String> paths = new LinkedHashMap<>(ofNode);
    OF_FRAMEWORKS.forEach(key -> paths.put(key, rollout.job().getTrimmed(key, "")));
    List<Finding> without = new ArrayList<>();
    boolean hooked = false;
    boolean unsure = false;
    for (Map.Entry<String, String> each : paths.entrySet()) {
      boolean nodes = ofNode.containsKey(each.getKey());
      List<String> entries =
          Stream.of(each.getValue().split("[:,]", -1))
              .map(rollout.scripts()::resolve)
              .collect(Immutable.toList());
      ClassPath path = new ClassPath(entries);
      Configuration conf = nodes ? rollout.node() : rollout.job();
      String origin = rollout.origin(conf, each.getKey());
      Finding property = Troubles.of("jars.containers", each.getKey(), each.getValue(), origin);
      Optional<JarCheck.Trouble> mixed = path.look(loader -> JarCheck.of(loader).versions());
      ClassPath.unfit(mixed, property, " " + property.consequence()).ifPresent(found);
      hooked |= path.missing(HOOK).isEmpty();
      unsure |= !nodes && !path.searched();
      if (nodes || entries.stream().anyMatch(ClassPath::namesDropInJars)) {
        path.lookFor(HOOK, rollout.isHere(), property).ifPresent(without::add);
      }
    }
    if (!hooked) {
      String none = byPlugin ? "jars.spark" : unsure ? "jars.perhaps" : "jars.none";
      without.forEach(found);
      if (without.isEmpty()) {
        found.accept(rollout.ofNode(none, ADMIN + ".CLASSPATH"));
      }
    }
  }

  /**
   * Checks that containers of Docker and runC see what TempTier keeps in each local dir. YARN
   * mounts the folders of their application, and no more. The folder is for reading, since an image
   * may make its user root; only the claims in it are for writing.
   */
  static void mounts(Rollout rollout, Consumer<Finding> found) {
    List<Path> folders = new ArrayList<>();
    rollout.dirs().forEach(dir -> folders.add(dir.path().resolve(NodeMarker.DIR)));
    List<Path> claims = new ArrayList<>();
    rollout.dirs().forEach(dir -> claims.add(NodeMarker.claims(dir.path())));
    List<String> allowed = Immutable.listOf(rollout.node().getTrimmedStrings(RUNTIMES));
    for (String type : WITH_IMAGES) {
      if (allowed.stream().anyMatch(type::equalsIgnoreCase)) {
        List<String> keys =
            Immutable.listOf(String.format(MOUNTS, type, "ro"), String.format(MOUNTS, type, "rw"));
        missing(rollout, type, "ro", folders, keys).ifPresent(found);
        missing(rollout, type, "rw", claims, keys.subList(1, 2)).ifPresent(found);
      }
    }
  }

  /** Reports folders that none of the keys mounts; the remedy sets the first key. */
  private static Optional<Finding> missing(
      Rollout rollout, String type, String mode, List<Path> folders, List<String> keys) {
    List<String> mounts =
        keys.stream()
            .flatMap(key -> Stream.of(rollout.node().getTrimmedStrings(key)))
            .collect(Immutable.toList());
    List<Path> missing =
        folders.stream()
            .filter(folder -> mounts.stream().noneMatch(mount -> shows(mount, folder)))
            .collect(Immutable.toList());
    if (missing.isEmpty()) {
      return Optional.empty();
    }
    List<String> all =
        new ArrayList<>(Immutable.listOf(rollout.node().getTrimmedStrings(keys.get(0))));
    for (Path folder : missing) {
      String pair = folder + ":" + folder;
      // With a third part it keeps containers from starting.
      all.removeIf(mount -> mount.startsWith(pair + ":"));
      all.add(pair);
    }
    String names = missing.stream().map(Path::toString).collect(Collectors.joining(","));
    String mended = String.join(",", all);
    return Optional.of(rollout.ofNode("mounts." + mode, keys.get(0), type, names, mended));
  }

  /** True if a mount shows a folder at its own path; it has two parts, and no mode. */
  private static boolean shows(String mount, Path folder) {
    try {
      String[] parts = mount.split(":", -1);
      Path shown = Paths.get(parts[0]).normalize();
      return parts.length == 2
          && shown.equals(Paths.get(parts[1]).normalize())
          && folder.startsWith(shown);
    } catch (InvalidPathException e) {
      return false;
    }
  }
}
