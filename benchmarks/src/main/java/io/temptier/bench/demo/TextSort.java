// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.demo;

import io.temptier.lab.cluster.PseudoCluster;
import io.temptier.lab.cluster.SiteFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;

/**
 * Sorts the lines of given files by the Sort program of Hadoop's examples, and checks its output:
 * every part in order, and all parts together the lines that went in.
 */
final class TextSort {
  private final DemoPlan plan;
  private final PseudoCluster cluster;
  private final LineDigest input = new LineDigest("");

  TextSort(DemoPlan plan, PseudoCluster cluster) {
    this.plan = plan;
    this.cluster = cluster;
  }

  /**
   * Copies the files to HDFS under names without an ending, so that none is taken for compressed.
   *
   * @throws IOException when a file cannot be read or its lines cannot be sorted
   */
  void upload() throws IOException, InterruptedException {
    cluster.fs("-mkdir", "/in");
    int number = 0;
    for (Path file : plan.input()) {
      try (InputStream in = Files.newInputStream(file)) {
        input.add(in);
      }
      if (input.separatorSeen()) {
        throw new IOException(
            file + " holds a byte 0xFF, so it is no UTF-8 text; the demo sorts lines of text");
      }
      cluster.fs(
          "-put", file.toUri().getPath(), String.format(Locale.ROOT, "/in/file-%05d", number++));
    }
  }

  /** The program and its arguments: the whole line is the key, and the value is empty. */
  String[] command(int reduces) throws IOException {
    Path conf = cluster.spec().home().resolve("sort-lines.xml");
    SiteFile.write(
        conf,
        Map.of(
            "mapreduce.input.keyvaluelinerecordreader.key.value.separator",
            String.valueOf(LineDigest.SEPARATOR)));
    String lib = "org.apache.hadoop.mapreduce.lib.";
    String text = "org.apache.hadoop.io.Text";
    return new String[] {
      "sort",
      "-conf",
      conf.toString(),
      "-r",
      Integer.toString(reduces),
      "-inFormat",
      lib + "input.KeyValueTextInputFormat",
      "-outFormat",
      lib + "output.TextOutputFormat",
      "-outKey",
      text,
      "-outValue",
      text,
      "/in",
      "/out"
    };
  }

  /** Reads the output back. */
  DemoRun.Validation validate(int reduces) throws IOException {
    LineDigest output = new LineDigest("\t");
    for (int part = 0; part < reduces; part++) {
      try (InputStream in = cluster.cat(String.format(Locale.ROOT, "/out/part-r-%05d", part))) {
        output.add(in);
      }
      output.nextPart();
    }
    String counts =
        String.format(Locale.ROOT, "%,d lines in, %,d out", input.lines(), output.lines());
    if (!output.sorted()) {
      return new DemoRun.Validation(false, counts + "; a part is not in order");
    }
    return output.sameLines(input)
        ? new DemoRun.Validation(true, counts + ", the same ones, each reducer's part in order")
        : new DemoRun.Validation(false, counts + "; they are not the same lines");
  }
}
