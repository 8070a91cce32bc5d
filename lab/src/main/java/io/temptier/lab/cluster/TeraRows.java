// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.cluster;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The rows that a TeraGen made, which a sort's output must have. TeraValidate's job succeeds on any
 * output: it writes what is out of order into its own, and the sum of the rows' checksums, which is
 * there to be compared.
 *
 * @param checksum the lowest 64 bits of the sum of their CRCs
 */
public record TeraRows(long count, long checksum) {
  private static final String REPORTED = "checksum\t";
  private static final int HEX_DIGITS = 16;

  /** The command of a TeraGen that is not measured. */
  public static String[] teragen(HadoopCluster cluster, long rows, int files, String folder) {
    Map<String, String> properties = new HashMap<>(cluster.aside());
    properties.put("mapreduce.job.maps", Integer.toString(files));
    return HadoopCluster.example("teragen", properties, Long.toString(rows), folder);
  }

  public static TeraRows madeBy(JobResult teragen) throws IOException {
    JobResult made = teragen.requireSuccess();
    return new TeraRows(counter(made, "Map output records"), counter(made, "CHECKSUM"));
  }

  @FunctionalInterface
  public interface Examples {
    JobResult run(String... command) throws IOException, InterruptedException;
  }

  /**
   * Tells what is wrong with a sort's output, by a TeraValidate that is not measured.
   *
   * @param folder of the output; the report goes into one whose name begins with it
   * @return for people; empty when it is these rows, all of them and in order
   */
  public String fault(HadoopCluster cluster, Examples examples, String folder)
      throws IOException, InterruptedException {
    String report = folder + "-validated";
    String[] command = HadoopCluster.example("teravalidate", cluster.aside(), folder, report);
    JobResult teravalidate = examples.run(command);
    return fault(
        teravalidate, teravalidate.succeeded() ? cluster.lines(report + "/part-*") : List.of());
  }

  /**
   * Tells what is wrong with a sort's output.
   *
   * @return for people; empty when it is these rows, all of them and in order
   */
  public String fault(JobResult teravalidate, List<String> report) throws IOException {
    if (!teravalidate.succeeded()) {
      return "teravalidate ended as " + teravalidate.state() + ": " + teravalidate.lastLines();
    }
    long found = counter(teravalidate, "Map input records");
    if (found != count) {
      return found + " rows instead of " + count;
    }
    if (report.size() != 1 || !report.get(0).startsWith(REPORTED)) {
      return "TeraValidate reports " + String.join(" ", report);
    }
    // 128 bits, without leading zeros.
    String sum = report.get(0).substring(REPORTED.length()).strip();
    String low = sum.substring(Math.max(0, sum.length() - HEX_DIGITS));
    return Long.parseUnsignedLong(low, 16) == checksum
        ? ""
        : "rows whose checksums add up to " + low + " instead of " + Long.toHexString(checksum);
  }

  /** A counter as the job's client prints it at its end, after those of tasks that ran in it. */
  private static long counter(JobResult job, String name) throws IOException {
    Pattern printed = Pattern.compile("\\s+" + Pattern.quote(name) + "=(\\d+)");
    return job.log().stream()
        .map(printed::matcher)
        .filter(Matcher::matches)
        .map(matcher -> Long.parseLong(matcher.group(1)))
        .reduce((task, whole) -> whole)
        .orElseThrow(
            () -> new IOException(job.name() + " printed no " + name + ": " + job.lastLines()));
  }
}
