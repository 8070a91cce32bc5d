// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.s3a;

import io.temptier.bench.cluster.Facts;
import io.temptier.bench.cluster.HadoopRuntime;
import io.temptier.bench.testbed.DiskSpeed;
import io.temptier.bench.testbed.SlowDiskOptions;
import io.temptier.cli.CommandFailure;
import io.temptier.cli.ExitCodes;
import io.temptier.cli.JsonFile;
import io.temptier.cli.Progress;
import io.temptier.cli.Terminal;
import io.temptier.s3a.profile.HadoopVersion;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
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
public final class S3aBenchCommand implements Callable<Integer> {
  private static final String NEWEST = "3.5.0";

  @Mixin private final Terminal terminal = new Terminal();
  @Mixin private final JsonFile json = new JsonFile();
  @Mixin private final SlowDiskOptions slowDisk = new SlowDiskOptions();

  @Option(
      names = "--patterns",
      paramLabel = "NAME",
      split = ",",
      description =
          "Measure these only, of random, skips, footers, scan, parquet, vectored, queries, upload"
              + " and teragen (default: all of them).")
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
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "3",
      description = "How often everything is measured; medians are shown (default: 3).")
  private int rounds;

  @Option(
      names = "--quick",
      description = "One small round with this build's Hadoop: shows that it works, not how fast.")
  private boolean quick;

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

  /** Called by picocli. */
  public S3aBenchCommand() {}

  @Override
  public Integer call() {
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
    try {
      HadoopRuntime runtime = HadoopRuntime.locate().stock();
      return run(plan(runtime.version()), runtime, json.textOf(terminal));
    } catch (IOException e) {
      throw new CommandFailure("bench s3a could not be run: " + e.getMessage(), e);
    }
  }

  private int run(S3aPlan plan, HadoopRuntime runtime, PrintWriter out) throws IOException {
    Path work = HadoopRuntime.workFolder();
    S3aResult result;
    boolean failed;
    try (Progress progress = terminal.progress("bench s3a");
        Store store = open(work, plan, progress)) {
      S3aText.plan(out, plan, store.description());
      S3aRun run = new S3aRun(plan, runtime, store, progress::say);
      run.run();
      Map<String, String> facts = Facts.gather(runtime, work, terminal.typed());
      failed = run.armFailed();
      result = new S3aResult(plan, run.arms(), Goals.of(plan, run.arms()), run.remarks(), facts);
    }
    json.write(S3aJson.of(result), terminal);
    S3aText.result(out, result);
    out.flush();
    return failed ? ExitCodes.FAILED : ExitCodes.FINE;
  }

  private Store open(Path work, S3aPlan plan, Progress progress) throws IOException {
    if (confDir != null && bucket != null) {
      return Store.at(work, confDir, bucket);
    }
    Optional<DiskSpeed> slow = slowStore ? Optional.of(plan.slowDisk()) : Optional.empty();
    return Store.ceph(work, slow, progress::say);
  }

  private S3aPlan plan(String built) {
    terminal.atLeastOne("--rounds", rounds);
    for (String key : own.keySet()) {
      if (!key.startsWith("fs.s3a.")) {
        throw terminal.wrongUse("-D " + key + " is no property of S3A: it begins with fs.s3a.");
      }
    }
    return new S3aPlan(
        terminal.chosen("--patterns", patterns, List.of(Pattern.values()), Pattern::label),
        hadoops(built),
        quick ? 1 : rounds,
        quick,
        slowDisk.speed(terminal),
        own);
  }

  private List<String> hadoops(String built) {
    Set<String> wanted = new LinkedHashSet<>(List.of(built));
    for (String version : hadoops) {
      if (!version.equals(built) && HadoopVersion.of(version).isEmpty()) {
        throw terminal.wrongUse("--hadoop=" + version + " is none of " + HadoopVersion.known());
      }
      wanted.add(version);
    }
    if (hadoops.isEmpty() && !quick) {
      wanted.add(NEWEST);
    }
    return List.copyOf(wanted);
  }
}
