// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.ceph;

import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.temptier.lab.testbed.TestbedHome;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The store of a test class, to be registered in a static field: a Ceph, or where that is not
 * installed {@link S3Proxy}, on which tests of what is Ceph's own are skipped.
 */
final class StoreFixture implements BeforeAllCallback, AfterAllCallback {
  private final CephFixture ceph;
  private @Nullable TestbedHome home;
  private @Nullable S3Proxy proxy;
  private @Nullable S3Account owner;

  /**
   * A store.
   *
   * @param gateways of a Ceph; s3proxy is one
   */
  StoreFixture(int gateways) {
    ceph = new CephFixture(gateways);
  }

  @Override
  public void beforeAll(ExtensionContext context) throws Exception {
    Optional<String> hindrance = CephFixture.hindrance();
    if (hindrance.isEmpty()) {
      ceph.beforeAll(context);
      owner = ceph.cluster().newAccount("owner");
      return;
    }
    List<Path> jars;
    try {
      jars = S3Proxy.jars();
    } catch (IOException e) {
      System.err.println("Skipped without Ceph and s3proxy: " + hindrance.get() + " " + e);
      abort("neither Ceph nor s3proxy is there");
      return;
    }
    String name = context.getRequiredTestClass().getSimpleName();
    System.err.println(name + " on s3proxy, what is Ceph's own is skipped: " + hindrance.get());
    home = TestbedHome.create(Path.of("target", "s3proxy-" + name).toAbsolutePath());
    proxy = S3Proxy.start(jars, home.path());
    owner = proxy.owner();
  }

  @Override
  public void afterAll(ExtensionContext context) throws IOException {
    if (proxy != null) {
      proxy.close();
    }
    if (home != null) {
      home.close();
    }
    ceph.afterAll(context);
  }

  /** Skips the test that asks where there is no Ceph. */
  void assumeCeph() {
    assumeTrue(proxy == null, "Ceph's own");
  }

  /** The Ceph; skips the test that asks where there is none. */
  CephCluster ceph() {
    assumeCeph();
    return ceph.cluster();
  }

  /** Where it can be reached. */
  List<URI> gateways() {
    return proxy == null ? ceph.cluster().gateways() : List.of(proxy.uri());
  }

  /** Who owns its buckets. */
  S3Account owner() {
    return Objects.requireNonNull(owner, "no test is running");
  }

  /**
   * Makes a bucket.
   *
   * @param acl who else may do what, such as {@code private} or {@code public-read}
   */
  void makeBucket(String bucket, String acl) throws IOException {
    NewBucket.make(gateways().get(0), owner(), bucket, acl);
  }
}
