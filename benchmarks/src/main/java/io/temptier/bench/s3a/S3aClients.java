// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.s3a;

import io.temptier.bench.experiment.Arm;
import io.temptier.bench.experiment.ExperimentRun;
import io.temptier.bench.experiment.Figure;
import io.temptier.bench.experiment.Part;
import io.temptier.bench.experiment.Plan;
import io.temptier.bench.experiment.Setting;
import io.temptier.bench.experiment.Site;
import io.temptier.bench.experiment.Workload;
import io.temptier.bench.s3a.client.Work;
import io.temptier.lab.ceph.CephSpec;
import io.temptier.lab.cluster.HadoopRuntime;
import io.temptier.lab.testbed.EmulatedDisk;
import io.temptier.s3a.profile.HadoopVersion;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * S3A set up in several ways, on one store; the settings are patterns of reading and writing.
 *
 * @param objectMib the size of the object that is read
 * @param rows of the Parquet and the ORC file
 * @param practice whether each way practises before its first round
 * @param hadoop versions whose readers are measured beside those of the build's, by commas
 * @param slowStore whether the run's own Ceph lies on a slow disk
 * @param bucket of a store of the user's, with {@code --conf-dir}; else empty
 * @param counts how much of each pattern is measured at a time
 */
public record S3aClients(
    long objectMib,
    long rows,
    boolean practice,
    String hadoop,
    boolean slowStore,
    String bucket,
    Map<String, Long> counts)
    implements Workload {
  static final String MB_PER_SECOND = "mbPerSecond";
  static final String STORE_BYTES = "bytesFromStore";
  static final String REQUESTS = "requests";
  private static final int GATEWAYS = 3;

  private static final Pattern SECRET =
      Pattern.compile("password|secret|token|access\\.key|encryption\\.key");

  public S3aClients {
    counts = Map.copyOf(counts);
    for (String version : versions(hadoop)) {
      if (HadoopVersion.TRIED.stream().noneMatch(known -> known.number().equals(version))) {
        throw new IllegalArgumentException(
            HadoopVersion.TRIED.stream()
                .map(HadoopVersion::number)
                .collect(Collectors.joining(", ", "hadoop=" + version + " is none of ", "")));
      }
    }
  }

  private static List<String> versions(String list) {
    return list.isEmpty() ? List.of() : List.of(list.split(","));
  }

  /** How many files are there to be opened, each once by a pattern. */
  static long files(Plan plan) {
    return reads(plan).stream()
        .filter(pattern -> pattern == Work.FOOTERS || pattern == Work.QUERIES)
        .mapToLong(pattern -> of(plan).count(pattern))
        .max()
        .orElse(0);
  }

  /** How many gateways the run's own Ceph has. */
  static int gateways(Plan plan) {
    return patterns(plan).contains(Work.GATEWAYS) ? GATEWAYS : 1;
  }

  long count(Work pattern) {
    return Objects.requireNonNull(counts.get(pattern.label()), pattern::label);
  }

  static S3aClients of(Plan plan) {
    return (S3aClients) plan.workload();
  }

  static List<Work> patterns(Plan plan) {
    return plan.experiment().settings().stream().map(one -> Work.of(one.name())).toList();
  }

  static List<Work> reads(Plan plan) {
    return patterns(plan).stream().filter(Work.reads()::contains).toList();
  }

  /** The setting of a pattern with the S3A of a Hadoop. */
  static String setting(Work pattern, String hadoop) {
    return pattern.label() + Setting.ON_HADOOP + hadoop;
  }

  static Work pattern(String setting) {
    return Work.of(setting.substring(0, setting.indexOf(Setting.ON_HADOOP)));
  }

  static String hadoop(String setting) {
    return setting.substring(setting.indexOf(Setting.ON_HADOOP) + Setting.ON_HADOOP.length());
  }

  @Override
  public Plan fitted(Plan plan) {
    Site site = plan.site();
    if (site.ownDirs()) {
      throw new IllegalArgumentException("--dirs is for jobs: leave it");
    }
    if (site.ownCluster() == bucket.isEmpty()) {
      throw new IllegalArgumentException("--conf-dir and --set bucket= belong together");
    }
    if (!bucket.isEmpty() && !bucket.startsWith("s3a://")) {
      throw new IllegalArgumentException("bucket=" + bucket + " does not begin with s3a://");
    }
    if (slowStore && site.ownCluster()) {
      throw new IllegalArgumentException(
          "slowStore is for a Ceph of the command's own: without --conf-dir");
    }
    plan.properties().keySet().forEach(S3aClients::check);
    for (Setting setting : plan.experiment().settings()) {
      if (!counts.containsKey(setting.name())) {
        throw new IllegalArgumentException(
            "setting " + setting.name() + " has no count in counts of the workload");
      }
    }
    return plan;
  }

  private static void check(String key) {
    if (!key.startsWith("fs.s3a.")) {
      throw new IllegalArgumentException(
          "-D " + key + " is no property of S3A: it begins with fs.s3a.");
    }
    if (SECRET.matcher(key).find()) {
      throw new IllegalArgumentException(
          "-D "
              + key
              + " holds a secret, which the command line shows to all users and the report keeps:"
              + " put it into the core-site.xml of --conf-dir, or into a credential store");
    }
  }

  @Override
  public String lead(Plan plan) {
    int gateways = gateways(plan);
    return (plan.site().ownCluster()
            ? "On " + bucket + " as in " + plan.site().confDir()
            : "On a Ceph on this machine: 1 OSD, "
                + (gateways == 1 ? "1 gateway" : gateways + " gateways, the first used alone")
                + (slowStore ? ", on a disk of " + plan.slowDisk() : ""))
        + "; an object of "
        + objectMib
        + " MiB, Parquet and ORC files of "
        + rows
        + " rows"
        + (files(plan) > 0 ? ", " + files(plan) + " files of 16 MiB" : "")
        + (practice ? "; each way practises before its first round" : "");
  }

  /** The readers of each Hadoop; uploads and committers of the build's. */
  @Override
  public List<Part> parts(Plan plan) {
    String built = built();
    Set<String> versions = new LinkedHashSet<>(List.of(built));
    versions.addAll(versions(hadoop));
    List<Part> parts = new ArrayList<>();
    for (String version : versions) {
      List<Work> all = version.equals(built) ? patterns(plan) : reads(plan);
      Map<List<Arm>, List<String>> settings = new LinkedHashMap<>();
      for (Work pattern : all) {
        List<Arm> arms = plan.experiment().arms(plan.experiment().setting(pattern.label()));
        settings
            .computeIfAbsent(
                Setups.of(arms, version, plan.properties()), unused -> new ArrayList<>())
            .add(setting(pattern, version));
      }
      settings.forEach((arms, names) -> parts.add(new Part(names, arms)));
    }
    return parts;
  }

  private static String built() {
    try {
      return HadoopRuntime.locate().version();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public String description(Plan plan, Setting setting) {
    Work pattern = Work.of(setting.name());
    return count(pattern) + " " + pattern.words();
  }

  @Override
  public List<Figure> figures(Plan plan) {
    return List.of(
        new Figure(MB_PER_SECOND, "MB/s"),
        new Figure(STORE_BYTES, "from the store, MiB", 1 << 20, false),
        new Figure(REQUESTS, "requests"));
  }

  @Override
  public Optional<String> hindrance(Plan plan) throws IOException {
    if (plan.site().ownCluster()) {
      Path site = Store.site(plan.site().confDir());
      return Files.isReadable(site)
          ? Optional.empty()
          : Optional.of("there is no " + site + " to read");
    }
    Optional<String> ceph =
        CephSpec.hindrance()
            .map(why -> why + " Or name a store that is there with --conf-dir and --set bucket=.");
    return ceph.isPresent() || !slowStore ? ceph : EmulatedDisk.hindrance();
  }

  @Override
  public Testbed open(Plan plan, Part part, ExperimentRun run) throws IOException {
    Store store = run.shared(Store.class, () -> Store.open(plan, run));
    return S3aTestbed.start(plan, part, store, run);
  }
}
