// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.ceph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.lab.cluster.LoopbackPorts;
import io.temptier.lab.testbed.CephProcess;
import io.temptier.lab.testbed.TestbedHome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.s3a.S3AFileSystem;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.BucketVersioningStatus;
import software.amazon.awssdk.services.s3.model.ExpirationStatus;
import software.amazon.awssdk.services.s3.model.LifecycleRule;
import software.amazon.awssdk.services.s3.model.MultipartUpload;

/**
 * The Ceph of a test class, to be registered in a static field: up before its first test, gone
 * without a trace after its last. Its gateways are numbered from 0.
 */
class CephFixture implements BeforeAllCallback, AfterAllCallback {
  private static final long OSD_BYTES = 8L << 30;

  /** In the line that a gateway logs of each request, as web servers do. */
  private static final String ANSWERED = " beast: ";

  private final int gateways;
  private @Nullable TestbedHome home;
  private @Nullable CephCluster ceph;

  CephFixture(int gateways) {
    this.gateways = gateways;
  }

  @Override
  public void beforeAll(ExtensionContext context) throws IOException {
    String name = context.getRequiredTestClass().getSimpleName();
    home = TestbedHome.create(Path.of("target", "ceph-" + name).toAbsolutePath());
    ceph = CephCluster.start(home.path(), new CephSpec(gateways, OSD_BYTES), state -> {});
  }

  @Override
  public void afterAll(ExtensionContext context) throws IOException {
    if (ceph != null) {
      ceph.close();
    }
    if (home != null) {
      home.close();
      assertEquals(List.of(), CephProcess.at(home.path()));
      assertFalse(Files.exists(home.path()), home.path()::toString);
    }
  }

  CephCluster cluster() {
    return Objects.requireNonNull(ceph, "no test is running");
  }

  URI gatewayUri(int index) {
    return cluster().gateways().get(index);
  }

  /** Makes a user of the gateways, with buckets of its own. */
  S3Account owner(String user, String... buckets) throws IOException {
    S3Account account = cluster().newAccount(user);
    for (String bucket : buckets) {
      cluster().makeBucket(account, bucket);
    }
    return account;
  }

  /** What S3A is set to for all gateways and this user. */
  Map<String, String> properties(S3Account account) {
    return TestbedFiles.properties(cluster().gateways(), account);
  }

  /** Opens a bucket by S3A; to be closed. */
  static FileSystem open(String bucket, Map<String, String> properties) throws IOException {
    Configuration conf = new Configuration();
    properties.forEach(conf::set);
    return FileSystem.newInstance(URI.create("s3a://" + bucket + "/"), conf);
  }

  static S3Client client(FileSystem fs) {
    return ((S3AFileSystem) fs).getS3AInternals().getAmazonS3Client("test");
  }

  /** Gives a bucket a rule for all that is in it. */
  static void rule(S3Client client, String bucket, Consumer<LifecycleRule.Builder> does) {
    LifecycleRule.Builder rule = LifecycleRule.builder().id("rule").filter(it -> it.prefix(""));
    does.accept(rule.status(ExpirationStatus.ENABLED));
    client.putBucketLifecycleConfiguration(
        it -> it.bucket(bucket).lifecycleConfiguration(all -> all.rules(rule.build())));
  }

  /** The keys of uploads that were begun and not completed. */
  static List<String> uploads(S3Client client, String bucket, String prefix) {
    return client.listMultipartUploads(it -> it.bucket(bucket).prefix(prefix)).uploads().stream()
        .map(MultipartUpload::key)
        .toList();
  }

  static void version(S3Client client, String bucket, BucketVersioningStatus status) {
    client.putBucketVersioning(
        it -> it.bucket(bucket).versioningConfiguration(versions -> versions.status(status)));
  }

  void kill(int index) {
    cluster().kill(CephCluster.gateway(index));
  }

  /** Stops one's process ({@code STOP}), which then accepts connections alone, or lets it go on. */
  void signal(int index, String signal) throws IOException {
    cluster().signal(CephCluster.gateway(index), signal);
  }

  /**
   * How many requests each of two has answered beyond an earlier count, by its own log. What one
   * answered within the last moments may not be in there yet.
   */
  List<Long> answered(List<Long> before) {
    return List.of(answered(0) - before.get(0), answered(1) - before.get(1));
  }

  private long answered(int index) {
    try (Stream<String> lines = Files.lines(cluster().logFile(CephCluster.gateway(index)))) {
      return lines.filter(line -> line.contains(ANSWERED)).count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Fails unless each of two has a fifth at least: the one that is slower just then gets fewer, the
   * one by which the client deletes and lists gets more.
   */
  static void assertShared(List<Long> answered) {
    long all = answered.stream().mapToLong(Long::longValue).sum();
    assertTrue(all > 0, "nothing was answered");
    for (long each : answered) {
      assertTrue(5 * each >= all, () -> "one has less than a fifth: " + answered);
    }
  }

  /**
   * Starts one more, which speaks https only, and waits until it listens.
   *
   * @param certificate a file with a certificate and its key, as PEM
   * @return where it is
   */
  URI startTls(Path certificate) throws IOException {
    int port = new LoopbackPorts().next();
    String address = "ssl_endpoint=127.0.0.1:" + port + " ssl_certificate=" + certificate;
    return start("https", port, address);
  }

  /** Starts one more with options, and waits until it listens. It ends with the Ceph. */
  URI startMore(String... options) throws IOException {
    return startAt(new LoopbackPorts().next(), options);
  }

  URI startAt(int port, String... options) throws IOException {
    return start("http", port, "endpoint=127.0.0.1:" + port, options);
  }

  private URI start(String scheme, int port, String address, String... options) throws IOException {
    String frontend = "--rgw-frontends=beast " + address;
    cluster().addGateway("client.rgw.more" + port, port, frontend, options);
    return URI.create(scheme + "://127.0.0.1:" + port);
  }
}
