// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.lab.process.Await;
import io.temptier.lab.process.Shell;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** A TeraSort with TempTier that runs in the background, while things happen to its cluster. */
public final class BackgroundSort {
  private static final int ROW_BYTES = 100;
  private static final int KEY_BYTES = 10;

  /**
   * What is said of attempts that are lost while a NodeManager starts again: by YARN, and by
   * reducers that find its port closed five times (no property bounds that: {@code
   * ShuffleSchedulerImpl.checkReducerHealth}).
   */
  private static final Pattern BY_YARN =
      Pattern.compile(
          "rejected as it is allocated by a previous RM"
              + "|Unable to get local resources when Container \\S+ is at NEW"
              + "|Exceeded MAX_FAILED_UNIQUE_FETCHES");

  /**
   * What a NodeManager says of a job's container that its predecessor was launching when it
   * stopped: {@code ContainerLaunch.call}, interrupted, stores -1 as the container's exit code, or
   * has not written its pid yet ({@code RecoveredContainerLaunch}).
   */
  private static final String CUT_OFF =
      "Recovering %1$s in state COMPLETED with exit code -1$"
          + "|Unable to locate pid file for container %1$s$";

  private final PseudoCluster cluster;
  private final String expected;
  private final String out;
  private final CompletableFuture<JobResult> job;
  private volatile boolean mapsDone;

  private BackgroundSort(
      PseudoCluster cluster, String expected, String out, List<String> arguments) {
    this.cluster = cluster;
    this.expected = expected;
    this.out = out;
    this.job =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return cluster.example(this::heard, arguments.toArray(String[]::new));
              } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
              }
            });
  }

  public record Input(PseudoCluster cluster, String path, long rows, int maps, String sorted) {
    /** Generates rows, and sorts them in memory to compare with. */
    public static Input generate(PseudoCluster cluster, long rows, int maps)
        throws IOException, InterruptedException {
      byte[] made = new byte[Math.toIntExact(rows * ROW_BYTES)];
      JobResult unused = cluster.example(TeraRows.teragen(cluster, rows, 2, "/in"));
      try (InputStream in = cluster.cat("/in/part-*")) {
        assertEquals(made.length, in.readNBytes(made, 0, made.length));
      }
      return new Input(cluster, "/in", rows, maps, digestSorted(made));
    }

    /** The size of a map's output, but for what each row has of its own. */
    public long splitBytes() {
      return rows / maps * ROW_BYTES;
    }

    /**
     * Submits a sort.
     *
     * @param out where its output goes
     * @param options more properties, with their {@code -D}
     */
    public BackgroundSort sort(String out, String... options) {
      List<String> arguments =
          Shell.line(
              "terasort",
              "-Dmapreduce.job.reduces=2",
              "-Dmapreduce.input.fileinputformat.split.maxsize=" + splitBytes(),
              "-Dmapreduce.job.reduce.slowstart.completedmaps=1.0",
              // No second attempt for one that a busy machine holds up.
              "-Dmapreduce.map.speculative=false",
              "-Dmapreduce.reduce.speculative=false",
              "-Dmapreduce.task.io.sort.mb=16",
              "-Dmapreduce.reduce.shuffle.input.buffer.percent=0.1",
              // A lost map output is to be noticed in seconds.
              "-Dmapreduce.reduce.shuffle.retry-delay.max.ms=1000",
              "-Dmapreduce.reduce.shuffle.fetch.retry.timeout-ms=3000",
              options,
              path,
              out);
      return new BackgroundSort(cluster, sorted, out, arguments);
    }

    /** A sort that waits for NodeManagers that restart, as where their recovery is on. */
    public BackgroundSort sortThroughRestarts(String out, String... options) {
      return sort(
          out,
          Shell.line(
                  options,
                  "-Dmapreduce.reduce.shuffle.fetch.retry.enabled=true",
                  "-Dmapreduce.reduce.shuffle.fetch.retry.timeout-ms=300000")
              .toArray(String[]::new));
    }
  }

  private void heard(String line) {
    mapsDone |= line.contains(" map 100% reduce ");
  }

  public boolean mapsDone() {
    return mapsDone;
  }

  public boolean isDone() {
    return job.isDone();
  }

  public void await(String what, Await.Question condition)
      throws IOException, InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(10);
    for (boolean over = false; !condition.holds(); over = job.isDone()) {
      assertFalse(
          over, () -> "the job ended before " + what + ":\n" + String.join("\n", job.join().log()));
      assertTrue(System.nanoTime() < deadline, "waited in vain for " + what);
      Thread.sleep(100);
    }
  }

  /** The JVM of one of its attempts that runs now. */
  public ProcessHandle task(String attempt) {
    return java(cluster, attempt);
  }

  /** The JVM of a container that runs now, by what its command line holds. */
  static ProcessHandle java(PseudoCluster cluster, String holds) {
    return cluster.containers().stream()
        .filter(process -> process.info().command().orElse("").endsWith("/java"))
        .filter(process -> process.info().commandLine().orElse("").contains(holds))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no process of " + holds));
  }

  /** As {@link #result}, of a job none of whose attempts failed. */
  public JobResult unharmed() throws Exception {
    return failing(result(), 0);
  }

  /**
   * The same, but for the attempts that YARN lost when it restarted a NodeManager: those it says so
   * of, and those that fail without a word.
   */
  public JobResult unharmedThroughRestarts() throws Exception {
    JobResult result = result();
    long lost = result.log().stream().filter(BY_YARN.asPredicate()).count();
    if (result.failedAttempts() > lost) {
      lost += Math.min(result.failedAttempts() - lost, cutOff(result.jobId()));
    }
    return failing(result, lost);
  }

  /** How many of a job's containers the NodeManagers that run now found cut off. */
  private long cutOff(String jobId) throws IOException {
    String container = "container_(e\\d+_)?" + jobId.substring("job_".length()) + "_\\d+_\\d+";
    Pattern ofJob = Pattern.compile(CUT_OFF.formatted(container));
    long found = 0;
    for (Daemon node : cluster.nodeManagers()) {
      found += Files.readString(node.log()).lines().filter(ofJob.asPredicate()).count();
    }
    return found;
  }

  private static JobResult failing(JobResult result, long attempts) {
    assertEquals(attempts, result.failedAttempts(), () -> String.join("\n", result.log()));
    return result;
  }

  /** Waits for its end, and compares its output with that of the sort in memory. */
  public JobResult result() throws Exception {
    JobResult result = job.get(20, TimeUnit.MINUTES);
    assertTrue(result.succeeded(), () -> result.state() + ":\n" + String.join("\n", result.log()));
    assertEquals(
        expected, digest(cluster.cat(out + "/part-*")), "output differs from a sort in memory");
    System.out.printf(
        Locale.ROOT,
        "%s: %.0f s, %d attempts failed, %s%n",
        out,
        result.seconds(),
        result.failedAttempts(),
        result.placed());
    return result;
  }

  private static String digest(InputStream in) throws IOException {
    MessageDigest sha256 = sha256();
    try (DigestInputStream digested = new DigestInputStream(in, sha256)) {
      digested.transferTo(OutputStream.nullOutputStream());
    }
    return HexFormat.of().formatHex(sha256.digest());
  }

  /** The digest of the same rows in the order of their keys, sorted in memory. */
  private static String digestSorted(byte[] rows) {
    Integer[] order = new Integer[rows.length / ROW_BYTES];
    Arrays.setAll(order, row -> row * ROW_BYTES);
    Arrays.sort(
        order, (a, b) -> Arrays.compareUnsigned(rows, a, a + KEY_BYTES, rows, b, b + KEY_BYTES));
    MessageDigest sha256 = sha256();
    for (int row : order) {
      sha256.update(rows, row, ROW_BYTES);
    }
    return HexFormat.of().formatHex(sha256.digest());
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
