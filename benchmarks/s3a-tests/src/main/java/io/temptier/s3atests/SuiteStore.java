// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3atests;

import io.temptier.lab.ceph.CephCluster;
import io.temptier.lab.ceph.CephSpec;
import io.temptier.lab.ceph.S3Account;
import io.temptier.lab.ceph.TestbedFiles;
import io.temptier.lab.cluster.SiteFile;
import io.temptier.lab.testbed.TestbedHome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Gives each JVM of Hadoop's tests a Ceph of its own before its first test, which goes with the
 * JVM, and says to Hadoop how to reach it. Without Ceph the build starts none of these JVMs.
 */
public final class SuiteStore implements LauncherSessionListener {
  /** System property: whether S3A is as {@code stock} has it, or {@code ours}. */
  private static final String CLIENT = "temptier.suite.client";

  private static final int GATEWAYS = 3;
  private static final long OSD_BYTES = 16L << 30;

  /**
   * What tests of S3A's ask of a store: no token service, no keys kept by AWS, one storage class.
   */
  private static final Map<String, String> OF_TESTS =
      Map.of(
          "test.fs.s3a.encryption.enabled", "false",
          "test.fs.s3a.create.storage.class.enabled", "false",
          "test.fs.s3a.sts.enabled", "false",
          // As small as a part may be.
          "fs.s3a.scale.test.huge.partitionsize", "5M");

  private static boolean asked;

  @Override
  public void launcherSessionOpened(LauncherSession session) {
    // Maven's own JVM, which only looks for tests, is told none.
    String client = System.getProperty(CLIENT);
    synchronized (SuiteStore.class) {
      if (asked || client == null) {
        return;
      }
      asked = true;
    }
    try {
      start(client);
    } catch (IOException e) {
      throw new UncheckedIOException("Hadoop's tests of S3A have no Ceph to run on", e);
    }
  }

  /** Not closed: it goes when this JVM ends, see {@link TestbedHome}. */
  private static void start(String client) throws IOException {
    Path target = Path.of("").toAbsolutePath();
    TestbedHome home = TestbedHome.create(target.resolve("ceph"));
    CephCluster ceph =
        CephCluster.start(home.path(), new CephSpec(GATEWAYS, OSD_BYTES), state -> {});
    S3Account owner = ceph.newAccount("suite");
    String bucket = "suite-" + client;
    ceph.makeBucket(owner, bucket);

    Map<String, String> site = new HashMap<>(OF_TESTS);
    Map<String, String> ours = TestbedFiles.properties(ceph.gateways(), owner);
    if (client.equals("stock")) {
      ours.keySet().retainAll(TestbedFiles.NEEDED);
    }
    site.putAll(ours);
    // The profiles leave other jobs' uploads alone; these tests are of Hadoop's default.
    site.put("fs.s3a.committer.abort.pending.uploads", "true");
    site.put("test.fs.s3a.name", "s3a://" + bucket + "/");
    site.put("fs.contract.test.fs.s3a", "s3a://" + bucket + "/");
    String name = String.format(Locale.ROOT, "suite-%d.xml", ProcessHandle.current().pid());
    Path file = target.resolve("test-classes").resolve(name);
    Files.deleteIfExists(file);
    SiteFile.writePrivate(file, site);
    file.toFile().deleteOnExit();
    Configuration.addDefaultResource(name);
  }
}
