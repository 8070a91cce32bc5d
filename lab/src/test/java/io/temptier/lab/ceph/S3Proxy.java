// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.ceph;

import io.temptier.lab.cluster.Daemon;
import io.temptier.lab.cluster.LoopbackPorts;
import io.temptier.lab.cluster.MavenClassPath;
import io.temptier.lab.process.JavaCommand;
import io.temptier.lab.process.LoneClasses;
import io.temptier.lab.process.ParentWatch;
import io.temptier.lab.testbed.Opened;
import java.io.Closeable;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/**
 * A store that speaks S3 and keeps all in the memory of a JVM of its own, which has a class path of
 * its own. It stands in for a gateway, and says nothing about Ceph.
 */
final class S3Proxy implements Closeable {
  private static final String MAIN = "org.gaul.s3proxy.Main";
  private static final long END_MILLIS = 5_000;

  private final Daemon daemon;
  private final URI uri;
  private final S3Account owner;

  private S3Proxy(Daemon daemon, URI uri, S3Account owner) {
    this.daemon = daemon;
    this.uri = uri;
    this.owner = owner;
  }

  /**
   * Its jars.
   *
   * @throws IOException when Maven does not get them
   */
  static List<Path> jars() throws IOException {
    return MavenClassPath.of(
        Path.of("src/test/s3proxy/pom.xml").toAbsolutePath(),
        Path.of("target/s3proxy.classpath").toAbsolutePath());
  }

  /**
   * Starts one and waits until it answers.
   *
   * @param jars its jars
   * @param folder an existing folder for its files
   */
  static S3Proxy start(List<Path> jars, Path folder) throws IOException {
    Path classes = folder.resolve("classes");
    LoneClasses.copy(classes, ParentWatch.class);
    List<Path> classPath = new ArrayList<>(List.of(classes));
    classPath.addAll(jars);
    URI uri = URI.create("http://127.0.0.1:" + new LoopbackPorts().next());
    S3Account owner = new S3Account("owner", "OWNERSACCESSKEY", "the-owners-secret-key");
    Path settings = folder.resolve("s3proxy.properties");
    Properties properties = new Properties();
    properties.putAll(
        Map.of(
            "s3proxy.endpoint", uri.toString(),
            "s3proxy.authorization", "aws-v2-or-v4",
            "s3proxy.identity", owner.accessKey(),
            "s3proxy.credential", owner.secretKey(),
            // Else it refuses unsigned payloads of more.
            "s3proxy.v4-max-non-chunked-request-size", "134217728",
            "jclouds.provider", "transient",
            "jclouds.identity", "none",
            "jclouds.credential", "none"));
    try (var out = Files.newOutputStream(settings)) {
      properties.store(out, null);
    }
    Daemon daemon =
        new Daemon(
            "s3proxy",
            new ProcessBuilder(
                JavaCommand.tethered(
                    JavaCommand.home(),
                    List.of("-Xmx1g"),
                    classPath,
                    MAIN,
                    "--properties",
                    settings.toString())),
            folder.resolve("log"));
    return Opened.ready(
        new S3Proxy(daemon, uri, owner),
        proxy -> daemon.await(List.of(daemon), () -> CephCluster.listens(uri.getPort())));
  }

  /** Where it is. */
  URI uri() {
    return uri;
  }

  /** Its only user. */
  S3Account owner() {
    return owner;
  }

  @Override
  public void close() {
    daemon.quit();
    daemon.end(END_MILLIS);
  }
}
