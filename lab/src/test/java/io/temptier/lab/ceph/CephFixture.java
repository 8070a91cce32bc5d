// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.ceph;

import io.temptier.lab.testbed.TestbedHome;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The Ceph of a test class, to be registered in a static field: up before its first test, gone
 * after its last.
 */
final class CephFixture implements TestStore {
  private static final long OSD_BYTES = 8L << 30;

  private final int gateways;
  private @Nullable TestbedHome home;
  private @Nullable CephCluster ceph;
  private @Nullable S3Account owner;

  CephFixture(int gateways) {
    this.gateways = gateways;
  }

  /** What each Ceph of a test is made of, but for its gateways. */
  static CephSpec spec(int osds, int gateways) {
    return new CephSpec(osds, gateways, OSD_BYTES);
  }

  @Override
  public void beforeAll(ExtensionContext context) throws IOException {
    String name = context.getRequiredTestClass().getSimpleName();
    home = TestbedHome.create(Path.of("target", "ceph-" + name).toAbsolutePath());
    ceph = CephCluster.start(home.path(), spec(1, gateways), state -> {});
  }

  @Override
  public void afterAll(ExtensionContext context) throws IOException {
    if (ceph != null) {
      ceph.close();
    }
    if (home != null) {
      home.close();
    }
  }

  @Override
  public List<URI> gateways() {
    return cluster().gateways();
  }

  @Override
  public S3Account owner() throws IOException {
    S3Account known = owner;
    if (known == null) {
      // Tests with accounts of their own make one of that name.
      known = cluster().newAccount("owner");
      owner = known;
    }
    return known;
  }

  /** It, while tests run. */
  CephCluster cluster() {
    return Objects.requireNonNull(ceph, "no test is running");
  }
}
