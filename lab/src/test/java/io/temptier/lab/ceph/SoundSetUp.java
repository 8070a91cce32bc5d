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
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FileUtil;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import picocli.CommandLine.Help.Ansi;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * A set-up that is sound on a real gateway, for one thing to be put wrong in it, and the doctor
 * that examines it. Each test has a folder of its own.
 */
final class SoundSetUp extends CephFixture implements BeforeEachCallback, AfterEachCallback {
  static final String BUCKET = "bucket";

  private static final String PART_SIZE = "fs.s3a.multipart.size";

  /** S3's least: the doctor uploads a part of the job's size, and a hundred tests run it. */
  private static final String SMALLEST_PART = "5M";

  private @Nullable S3Account owner;
  private Path dir = Path.of("");

  SoundSetUp(int gateways) {
    super(gateways);
  }

  @Override
  public void beforeAll(ExtensionContext context) throws IOException {
    super.beforeAll(context);
    owner = owner("owner", BUCKET);
    abortUploads(BUCKET);
  }

  /** Has the store abort what is left of uploads in a bucket, as the doctor wants it. */
  void abortUploads(String bucket) throws IOException {
    store(
        bucket,
        client ->
            rule(
                client,
                bucket,
                it -> it.abortIncompleteMultipartUpload(days -> days.daysAfterInitiation(7))));
  }

  @Override
  public void beforeEach(ExtensionContext context) throws IOException {
    dir = Files.createTempDirectory("temptier-doctor");
  }

  @Override
  public void afterEach(ExtensionContext context) {
    boolean unused = FileUtil.fullyDelete(dir.toFile());
  }

  private S3Account owner() {
    return Objects.requireNonNull(owner, "no test is running");
  }

  /** Of the test, with its configuration. */
  Path dir() {
    return dir;
  }

  void makeBucket(String bucket) throws IOException {
    cluster().makeBucket(owner(), bucket);
  }

  interface Task {
    void run(S3Client store) throws IOException;
  }

  /** Asks the store as the owner, past S3A. */
  void store(String bucket, Task task) throws IOException {
    try (FileSystem fs = open(bucket, with())) {
      task.run(client(fs));
    }
  }

  /** What lies in a bucket, as a gateway has it. */
  List<String> names(int gateway, String bucket) throws IOException {
    List<String> names = new ArrayList<>();
    try (FileSystem fs = open(bucket, at(gatewayUri(gateway)))) {
      for (FileStatus file : fs.listStatus(new org.apache.hadoop.fs.Path("/"))) {
        names.add(file.getPath().getName());
      }
    }
    return names;
  }

  /** Its properties, with others over them. */
  Map<String, String> with(String... keysAndValues) {
    Map<String, String> conf = new LinkedHashMap<>(cluster().s3aProperties(owner()));
    for (int i = 0; i < keysAndValues.length; i += 2) {
      conf.put(keysAndValues[i], keysAndValues[i + 1]);
    }
    return conf;
  }

  Map<String, String> at(URI endpoint) {
    return with(
        "fs.s3a.endpoint",
        endpoint.toString(),
        "fs.s3a.connection.ssl.enabled",
        Boolean.toString(endpoint.getScheme().equals("https")));
  }

  /** Its properties, with requests spread over gateways. */
  Map<String, String> through(String... gateways) {
    return with(
        "fs.s3a.s3.client.factory.impl",
        "io.temptier.s3a.endpoint.SpreadingS3ClientFactory",
        "temptier.s3a.endpoints",
        String.join(",", gateways));
  }

  String gateway(int index) {
    return gatewayUri(index).toString();
  }

  Diagnosis doctor(Map<String, String> conf) throws IOException {
    return doctor(conf, BUCKET);
  }

  Diagnosis doctor(S3Account user, String bucket, String... options) throws IOException {
    return doctor(cluster().s3aProperties(user), bucket, options);
  }

  /** Runs it in this JVM. */
  Diagnosis doctor(Map<String, String> conf, String bucket, String... options) throws IOException {
    StringWriter out = new StringWriter();
    String[] command = command(conf, bucket, options);
    int code = Main.run(new PrintWriter(out), new PrintWriter(out), Ansi.OFF, command);
    return diagnosis(conf, code, out.toString());
  }

  private static Diagnosis diagnosis(Map<String, String> conf, int code, String text) {
    return new Diagnosis(code, text).lacks(conf.getOrDefault("fs.s3a.secret.key", "\0"));
  }

  private String[] command(Map<String, String> conf, String bucket, String... options)
      throws IOException {
    Path file = dir.resolve("core-site.xml");
    Map<String, String> written = new LinkedHashMap<>(conf);
    written.putIfAbsent(PART_SIZE, SMALLEST_PART);
    SiteFile.write(file, written);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    // As much time as a busy machine may need.
    boolean given = Arrays.stream(options).anyMatch(option -> option.startsWith("--seconds"));
    List<String> patience = given ? List.of() : List.of("--seconds=120");
    String url = "s3a://" + bucket + "/";
    return Shell.line("s3a", "doctor", "--conf-dir", dir, options, patience, url)
        .toArray(String[]::new);
  }

  /** What it says of a gateway behind a balancer, see {@link Balancer}. */
  Diagnosis behind(UnaryOperator<String> rule, UnaryOperator<String> answers) throws IOException {
    return behind(rule, answers, SMALLEST_PART);
  }

  Diagnosis behind(UnaryOperator<String> rule, UnaryOperator<String> answers, String partSize)
      throws IOException {
    try (Balancer balancer = new Balancer(gatewayUri(0), rule, answers)) {
      Map<String, String> conf = at(balancer.uri());
      conf.put(PART_SIZE, partSize);
      return doctor(conf);
    }
  }

  Diagnosis behind(UnaryOperator<String> rule) throws IOException {
    return behind(rule, UnaryOperator.identity());
  }

  /** What a doctor with little memory says, in a JVM with those options. */
  Diagnosis smallDoctor(Map<String, String> conf, String... jvmOptions) throws Exception {
    List<String> options =
        Shell.line("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", jvmOptions);
    List<String> line = JavaCommand.likeThis(options, Main.class, command(conf, BUCKET));
    Process process = new ProcessBuilder(line).redirectErrorStream(true).start();
    try {
      String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return diagnosis(conf, process.waitFor(), text);
    } finally {
      process.destroyForcibly();
    }
  }

  /**
   * What a run of {@code temptier s3a doctor} gave.
   *
   * @param code its exit code
   * @param text what it printed
   */
  record Diagnosis(int code, String text) {
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
}
