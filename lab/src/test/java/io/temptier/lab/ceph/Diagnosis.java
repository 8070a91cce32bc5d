// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.ceph;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.temptier.cli.ExitCodes;
import io.temptier.cli.main.Main;
import io.temptier.fixtures.Texts;
import io.temptier.lab.cluster.SiteFile;
import io.temptier.lab.process.JavaCommand;
import io.temptier.lab.process.Shell;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Help.Ansi;

/**
 * What a run of {@code temptier s3a doctor} gave.
 *
 * @param code its exit code
 * @param text what it printed
 */
record Diagnosis(int code, String text) {
  private static final String SECRET = "fs.s3a.secret.key";
  private static final String PART_SIZE = "fs.s3a.multipart.size";

  /** S3's least: the doctor uploads a part of the job's size, and a hundred tests run it. */
  static final String SMALLEST_PART = "5M";

  /**
   * Runs it in this JVM.
   *
   * @param dir where its configuration is written
   */
  static Diagnosis of(Path dir, Map<String, String> conf, String bucket, String... options)
      throws IOException {
    StringWriter out = new StringWriter();
    int code =
        Main.run(
            new PrintWriter(out),
            new PrintWriter(out),
            Ansi.OFF,
            command(dir, conf, bucket, options).toArray(new String[0]));
    return of(conf, code, out.toString());
  }

  /**
   * Runs it in a JVM of its own.
   *
   * @param jvmOptions options for that
   */
  static Diagnosis ofOtherJvm(
      Path dir, Map<String, String> conf, String bucket, String... jvmOptions)
      throws IOException, InterruptedException {
    String[] command = command(dir, conf, bucket).toArray(String[]::new);
    List<String> options =
        Shell.line("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", jvmOptions);
    List<String> line = JavaCommand.likeThis(options, Main.class, command);
    Process process = new ProcessBuilder(line).redirectErrorStream(true).start();
    try {
      String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return of(conf, process.waitFor(), text);
    } finally {
      process.destroyForcibly();
    }
  }

  private static Diagnosis of(Map<String, String> conf, int code, String text) {
    return new Diagnosis(code, text).lacks(conf.getOrDefault(SECRET, "\0"));
  }

  private static List<String> command(
      Path dir, Map<String, String> conf, String bucket, String... options) throws IOException {
    Path file = dir.resolve("core-site.xml");
    Map<String, String> written = new LinkedHashMap<>(conf);
    written.putIfAbsent(PART_SIZE, SMALLEST_PART);
    SiteFile.write(file, written);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    // As much time as a busy machine may need.
    boolean given = Arrays.stream(options).anyMatch(option -> option.startsWith("--seconds"));
    List<String> patience = given ? List.of() : List.of("--seconds=120");
    String url = "s3a://" + bucket + "/";
    return Shell.line("s3a", "doctor", "--conf-dir", dir, options, patience, url);
  }

  /** Asserts that it found no error, and said that. */
  Diagnosis passed(String... says) {
    return ends(ExitCodes.FINE, says);
  }

  /** Asserts that it found an error, and said that. */
  Diagnosis failed(String... says) {
    return ends(ExitCodes.FAILED, says);
  }

  Diagnosis ends(int expected, String... says) {
    assertEquals(expected, code, text);
    return says(says);
  }

  Diagnosis says(String... parts) {
    Texts.has(text, parts);
    return this;
  }

  Diagnosis lacks(String... parts) {
    Texts.lacks(text, parts);
    return this;
  }
}
