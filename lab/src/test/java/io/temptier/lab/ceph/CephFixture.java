// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.ceph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.temptier.lab.testbed.CephProcess;
import io.temptier.lab.testbed.TestbedHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The Ceph of a test class, to be registered in a static field: up before its first test, gone
 * without a trace after its last.
 */
class CephFixture implements BeforeAllCallback, AfterAllCallback {
  private static final long OSD_BYTES = 8L << 30;

  private final int gateways;
  private @Nullable TestbedHome home;
  private @Nullable CephCluster ceph;

  CephFixture(int gateways) {
    this.gateways = gateways;
  }

  /** What each Ceph of a test is made of, but for its gateways. */
  static CephSpec spec(int gateways) {
    return new CephSpec(gateways, OSD_BYTES);
  }

  @Override
  public void beforeAll(ExtensionContext context) throws IOException {
    String name = context.getRequiredTestClass().getSimpleName();
    home = TestbedHome.create(Path.of("target", "ceph-" + name).toAbsolutePath());
    ceph = CephCluster.start(home.path(), spec(gateways), state -> {});
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
}
