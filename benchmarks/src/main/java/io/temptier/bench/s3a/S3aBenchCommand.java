// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.s3a;

import io.temptier.bench.experiment.ExperimentCommand;
import io.temptier.bench.experiment.ExperimentResult;
import io.temptier.bench.node.SlowDiskOptions;
import io.temptier.bench.s3a.client.Work;
import io.temptier.cli.CommandFailure;
import io.temptier.cli.ExitCodes;
import io.temptier.lab.cluster.HadoopRuntime;
import io.temptier.s3a.profile.HadoopVersion;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The {@code bench s3a} command. */
@Command(
    name = "s3a",
    description = {
      "Measures S3A as Hadoop sets it up, as the paper does, and by our profiles, on a real store.",
      "The store is a Ceph that the command starts on loopback and removes, of Debian's packages;"
          + " or one that is there. Takes about eight minutes."
    },
    exitCodeList = {
      "0:everything was measured, whatever came of it",
      "1:the store could not be had, or a way to set S3A up failed and was left out",
      "2:wrong use"
    })
public final class S3aBenchCommand extends ExperimentCommand {
  private static final String NEWEST = "3.5.0";
  private static final int ROUNDS = 3;

  private static final Pattern SECRET =
      Pattern.compile("password|secret|token|access\\.key|encryption\\.key");

  @Mixin private final SlowDiskOptions slowDisk = new SlowDiskOptions();

  @Option(
      names = "--patterns",
      paramLabel = "NAME",
      split = ",",
      description =
          "Measure these only, of random, skips, footers, scan, parquet, orc, vectored, queries,"
              + " gateways, upload and teragen (default: all of them).")
  private List<String> patterns = new ArrayList<>();

  @Option(
      names = "--hadoop",
      paramLabel = "VERSION",
      split = ",",
      description =
          "Whose readers to measure: the version of this build is always the first; for others"
              + " Maven is asked for their jars (default: 3.5.0 too).")
  private List<String> hadoops = new ArrayList<>();

  @Option(
      names = "-D",
      paramLabel = "KEY=VALUE",
      description =
          "Another way to read, the arm own: properties of S3A beside Hadoop's defaults, such as"
              + " fs.s3a.readahead.range=256K.")
  private Map<String, String> own = new LinkedHashMap<>();

  @Option(
      names = "--slow-store",
      description =
          "Have Ceph lie on an emulated slow disk, as where its OSDs are HDDs; as root. Reads take"
              + " long then.")
  private boolean slowStore;

  @Option(
      names = "--conf-dir",
      paramLabel = "DIR",
      description = "Use the store of this folder's core-site.xml, in place of a Ceph of its own.")
  private @Nullable Path confDir;

  @Option(
      names = "--bucket",
      paramLabel = "URI",
      description =
          "Where on that store: s3a://bucket/ or a folder in it. Written below temptier-bench-*"
              + " only, which is removed.")
  private @Nullable String bucket;

  @Override
  protected S3aPlan plan() {
    if ((confDir == null) != (bucket == null)) {
      throw terminal.wrongUse("--conf-dir and --bucket belong together");
    }
    if (bucket != null && !bucket.startsWith("s3a://")) {
      throw terminal.wrongUse("--bucket=" + bucket + " does not begin with s3a://");
    }
    if (slowStore && confDir != null) {
      throw terminal.wrongUse(
          "--slow-store is for a Ceph of the command's own: without --conf-dir");
    }
    for (String key : own.keySet()) {
      if (!key.startsWith("fs.s3a.")) {
        throw terminal.wrongUse("-D " + key + " is no property of S3A: it begins with fs.s3a.");
      }
      if (SECRET.matcher(key).find()) {
        throw terminal.wrongUse(
            "-D "
                + key
                + " holds a secret, which the command line shows to all users and the report keeps:"
                + " put it into the core-site.xml of --conf-dir, or into a credential store");
      }
    }
    return new S3aPlan(
        terminal.chosen("--patterns", patterns, Work.patterns(), Work::label),
        hadoops(),
        options.rounds(terminal, ROUNDS),
        options.quick(),
        slowDisk.speed(terminal),
        slowStore,
        confDir == null ? "" : confDir.toAbsolutePath().normalize().toString(),
        bucket == null ? "" : bucket,
        own);
  }

  @Override
  protected int exitCode(ExperimentResult result) {
    return result.allCount() ? ExitCodes.FINE : ExitCodes.FAILED;
  }

  private List<String> hadoops() {
    String built = built();
    Set<String> wanted = new LinkedHashSet<>(List.of(built));
    for (String version : hadoops) {
      if (!version.equals(built)
          && HadoopVersion.OF_SDK_2.stream().noneMatch(known -> known.number().equals(version))) {
        throw terminal.wrongUse(
            HadoopVersion.OF_SDK_2.stream()
                .map(HadoopVersion::number)
                .collect(Collectors.joining(", ", "--hadoop=" + version + " is none of ", "")));
      }
      wanted.add(version);
    }
    if (hadoops.isEmpty() && !options.quick()) {
      wanted.add(NEWEST);
    }
    return List.copyOf(wanted);
  }

  private static String built() {
    try {
      return HadoopRuntime.locate().version();
    } catch (IOException e) {
      throw new CommandFailure("bench s3a could not be run: " + e.getMessage(), e);
    }
  }
}
