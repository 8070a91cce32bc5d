// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.doctor;

import io.temptier.s3a.UploadBufferDirCheck;
import io.temptier.tier.Finding;
import io.temptier.tier.Finding.Severity;
import io.temptier.tier.Immutable;
import io.temptier.tier.LocalDir;
import io.temptier.tier.NodeTiers;
import io.temptier.tier.os.DirectIo;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/** What the local dirs make: tiers, room for S3A's upload buffers, and whether they are here. */
public final class LocalDirChecks {
  private LocalDirChecks() {}

  /** What TempTier itself will say when the NodeManager starts. */
  static List<Finding> tiers(Rollout rollout) {
    return rollout.tiers().findings().stream()
        .map(finding -> rollout.located(rollout.node(), finding))
        .collect(Immutable.toList());
  }

  /** Where S3A, which reads {@code conf}, will buffer what it uploads. */
  public static List<Finding> uploadBuffers(Rollout rollout, Configuration conf) {
    Optional<NodeTiers> tiers = rollout.tiers().tiers();
    if (!tiers.isPresent()) {
      return Immutable.listOf();
    }
    return UploadBufferDirCheck.check(
            conf, tiers.get().layout(), dir -> rollout.kernel().classify(dir).medium())
        .stream()
        .map(finding -> rollout.located(rollout.job(), finding))
        .collect(Immutable.toList());
  }

  /** {@code mapreduce.cluster.local.dir}, which looks as if it mattered. */
  static List<Finding> ofMapReduce(Rollout rollout) {
    String key = MRConfig.LOCAL_DIR;
    if (!rollout.isSet(rollout.job(), key)) {
      return Immutable.listOf();
    }
    boolean tagged = rollout.job().getTrimmed(key, "").contains("[");
    return rollout.ofJob(
        tagged ? Severity.WARNING : Severity.INFO,
        key,
        "YARN gives each task its own value, made from yarn.nodemanager.local-dirs: this one only"
            + " counts for jobs in one JVM (mapreduce.framework.name=local)."
            + (tagged ? " Those take the tag for part of the name of a folder." : ""),
        tagged
            ? "Tags belong into temptier.local-dirs, in yarn-site.xml; take them out here."
            : "Nothing to do, or take the property out.");
  }

  /** Whether this machine has the dirs, and its Java all that watches them. */
  static List<Finding> here(Rollout rollout) {
    List<Finding> found = new ArrayList<>(missing(rollout));
    found.addAll(watchedBy(System.getProperty("java.version"), DirectIo.isKnown()));
    return found;
  }

  /** What a Java lacks to watch disks. */
  static List<Finding> watchedBy(String java, boolean directIo) {
    return directIo
        ? Immutable.listOf()
        : Immutable.listOf(
            Finding.info(
                "java.version",
                java,
                "this JVM",
                "This Java knows no direct I/O. The NodeManager's watch of the disks and probe go"
                    + " through the page cache: a slow or hung disk shows later.",
                "Run the NodeManager with Java 11 or later."));
  }

  /** Whether this machine has the dirs: if not, it cannot judge their media. */
  private static List<Finding> missing(Rollout rollout) {
    String key = YarnConfiguration.NM_LOCAL_DIRS;
    List<LocalDir> dirs =
        rollout
            .tiers()
            .tiers()
            .map(NodeTiers::layout)
            .map(l -> l.dirs())
            .orElse(Immutable.listOf());
    List<LocalDir> missing =
        dirs.stream().filter(dir -> !Files.isDirectory(dir.path())).collect(Immutable.toList());
    if (missing.isEmpty()) {
      return Immutable.listOf();
    }
    boolean none = missing.size() == dirs.size();
    return Immutable.listOf(
        Finding.info(
            key,
            missing.stream().map(dir -> dir.path().toString()).collect(Collectors.joining(",")),
            rollout.origin(rollout.node(), key),
            none
                ? "None of the local dirs is on this machine, so it is not the node: media, sizes"
                    + " and caps were not checked against disks, and dirs without a tag count as"
                    + " DISK."
                : "These dirs are not on this machine. A NodeManager here would make them wherever"
                    + " they fall, on the system disk if a disk is not mounted.",
            none ? "Run the doctor once more on a node." : "Mount what is missing."));
  }
}
