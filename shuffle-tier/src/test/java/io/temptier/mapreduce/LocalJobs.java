// SPDX-License-Identifier: Apache-2.0
package io.temptier.mapreduce;

import io.temptier.hadoop.allocator.TieredLocalDirAllocator;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.NodeTiers;
import io.temptier.tier.Reserve;
import io.temptier.tier.TierLayout;
import io.temptier.tier.TierSettings;
import io.temptier.tier.marker.NodeMarker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;

/** Runs test jobs with Hadoop's local job runner, under one folder with all of their files. */
final class LocalJobs {
  private static final long SEED = 20261121;

  private final Path base;

  LocalJobs(Path base) {
    this.base = base;
  }

  /**
   * What a job left.
   *
   * @param files every file of the output folder by name, checksum files included
   */
  record Result(boolean successful, Map<String, byte[]> files, Counters counters) {}

  /** A root with a marker, as a NodeManager publishes it. */
  Path root(String name) {
    try {
      return Files.createDirectories(base.resolve("local").resolve(name));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Two tiers, NVME over DISK, published in markers. */
  List<Path> tiers(String name, long nvmeCapBytes) throws IOException {
    List<LocalDir> dirs =
        List.of(
            new LocalDir(root(name + "-nvme"), Medium.NVME, nvmeCapBytes, "test"),
            new LocalDir(root(name + "-disk"), Medium.DISK, LocalDir.NO_CAP, "test"));
    TierLayout layout = TierLayout.of(dirs, List.of(Medium.values()), medium -> Reserve.ofBytes(0));
    for (LocalDir dir : dirs) {
      NodeMarker.write(dir.path(), new NodeTiers(layout, TierSettings.DEFAULT));
      Path claims = NodeMarker.claims(dir.path());
      Files.createDirectories(claims);
      Files.setPosixFilePermissions(claims, PosixFilePermissions.fromString("rwxrwxrwx"));
    }
    return dirs.stream().map(LocalDir::path).toList();
  }

  /** Runs a job as stock Hadoop does, in one dir. */
  Result stock(TestJob job) throws Exception {
    return run(job, "stock", List.of(root("stock")), new Configuration(false));
  }

  /** Runs a job with TempTier on both sides. */
  Result tiered(TestJob job, String name, List<Path> roots) throws Exception {
    return run(job, name, roots, tieredSettings());
  }

  /** The two properties that switch TempTier on. */
  static Configuration tieredSettings() {
    Configuration on = new Configuration(false);
    on.set(MRJobConfig.MAP_OUTPUT_COLLECTOR_CLASS_ATTR, TieredMapOutputCollector.class.getName());
    on.set(MRConfig.SHUFFLE_CONSUMER_PLUGIN, TieredShuffle.class.getName());
    return on;
  }

  Result run(TestJob testJob, String name, List<Path> roots, Configuration settings)
      throws Exception {
    Job job = job(testJob, name, roots, settings);
    boolean successful = job.waitForCompletion(false);
    return new Result(successful, output(job), job.getCounters());
  }

  /** The output of a job that has run. */
  static Map<String, byte[]> output(Job job) throws IOException {
    return read(Path.of(FileOutputFormat.getOutputPath(job).toUri().getPath()));
  }

  /** A job, ready to be run. */
  Job job(TestJob testJob, String name, List<Path> roots, Configuration settings)
      throws IOException {
    Path output = base.resolve("out").resolve(name + "-" + testJob);
    Configuration conf = new Configuration();
    conf.set("hadoop.tmp.dir", base.resolve("tmp").toString());
    conf.set(MRConfig.FRAMEWORK_NAME, MRConfig.LOCAL_FRAMEWORK_NAME);
    conf.set(
        MRConfig.LOCAL_DIR, roots.stream().map(Path::toString).collect(Collectors.joining(",")));
    conf.setInt(Job.COMPLETION_POLL_INTERVAL_KEY, 20);
    conf.setInt(MRJobConfig.IO_SORT_MB, 1);
    conf.setInt(MRJobConfig.NUM_REDUCES, 2);
    testJob.configure(conf);
    settings.forEach(entry -> conf.set(entry.getKey(), entry.getValue()));
    Job job = Job.getInstance(conf, testJob.name());
    TestTasks.sortLines(job);
    testJob.configure(job);
    FileInputFormat.addInputPath(job, new org.apache.hadoop.fs.Path(input(testJob).toUri()));
    FileOutputFormat.setOutputPath(job, new org.apache.hadoop.fs.Path(output.toUri()));
    return job;
  }

  private Path input(TestJob job) throws IOException {
    Path folder = base.resolve("in").resolve(job.maps() + "x" + job.linesPerMap());
    if (!Files.exists(folder)) {
      Files.createDirectories(folder);
      Random random = new Random(SEED);
      for (int map = 0; map < job.maps(); map++) {
        List<String> lines = new ArrayList<>(job.linesPerMap());
        for (int i = 0; i < job.linesPerMap(); i++) {
          lines.add(
              "%08x%04x%08x\t%016x %016x"
                  .formatted(random.nextInt(), map, i, random.nextLong(), i * 31L));
        }
        Files.write(folder.resolve("part-" + map), lines);
      }
    }
    return folder;
  }

  private static Map<String, byte[]> read(Path folder) throws IOException {
    Map<String, byte[]> files = new TreeMap<>();
    if (Files.exists(folder)) {
      for (Path file : filesUnder(folder)) {
        files.put(folder.relativize(file).toString(), Files.readAllBytes(file));
      }
    }
    return files;
  }

  /** Every regular file under a folder. Files that vanish meanwhile are left out. */
  static List<Path> filesUnder(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(Files::isRegularFile).toList();
    } catch (UncheckedIOException e) {
      return filesUnder(folder);
    }
  }

  /** How often TempTier asked stock because of a failure of its own. */
  static long fallbacks() {
    return TieredLocalDirAllocator.fallbacks();
  }
}
