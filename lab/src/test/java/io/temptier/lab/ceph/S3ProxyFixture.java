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

/** {@link S3Proxy} as a store, which every machine can have. */
final class S3ProxyFixture implements TestStore {
  private @Nullable TestbedHome home;
  private @Nullable S3Proxy proxy;

  @Override
  public void beforeAll(ExtensionContext context) throws IOException {
    String name = context.getRequiredTestClass().getSimpleName();
    home = TestbedHome.create(Path.of("target", "s3proxy-" + name).toAbsolutePath());
    proxy = S3Proxy.start(S3Proxy.jars(), home.path());
  }

  @Override
  public void afterAll(ExtensionContext context) throws IOException {
    if (proxy != null) {
      proxy.close();
    }
    if (home != null) {
      home.close();
    }
  }

  @Override
  public List<URI> gateways() {
    return List.of(running().uri());
  }

  @Override
  public S3Account owner() {
    return running().owner();
  }

  private S3Proxy running() {
    return Objects.requireNonNull(proxy, "no test is running");
  }
}
