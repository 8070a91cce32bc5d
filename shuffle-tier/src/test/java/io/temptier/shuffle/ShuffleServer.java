// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.temptier.hadoop.conf.TierKey;
import io.temptier.shuffle.MapOutputs.Output;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import javax.net.SocketFactory;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.LocalDirAllocator;
import org.apache.hadoop.mapred.ShuffleHandler;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.api.AuxiliaryLocalPathHandler;
import org.apache.hadoop.yarn.server.api.AuxiliaryService;
import org.jspecify.annotations.Nullable;

/**
 * A running shuffle handler, set up as the NodeManager sets up its auxiliary services, on a free
 * port and over real local dirs. Closing stops it; its files stay.
 */
final class ShuffleServer implements AutoCloseable {
  private final AuxiliaryService service;
  private final MapOutputs outputs;
  private final int port;
  private volatile SocketFactory sockets = SocketFactory.getDefault();

  private ShuffleServer(AuxiliaryService service, MapOutputs outputs, int port) {
    this.service = service;
    this.outputs = outputs;
    this.port = port;
  }

  /**
   * Starts a service that is not inited yet, such as the one that a NodeManager is told.
   *
   * @param folder of two local dirs
   * @param recovery folder of the job state, null for none
   */
  static ShuffleServer start(
      AuxiliaryService service, Path folder, @Nullable Path recovery, Map<String, String> settings)
      throws IOException {
    List<Path> localDirs =
        List.of(
            Files.createDirectories(folder.resolve("local-0")),
            Files.createDirectories(folder.resolve("local-1")));
    DefaultMetricsSystem.setMiniClusterMode(true);
    Configuration conf = new Configuration();
    conf.setInt(ShuffleHandler.SHUFFLE_PORT_CONFIG_KEY, 0);
    conf.set(YarnConfiguration.NM_LOCAL_DIRS, localDirs.get(0) + "," + localDirs.get(1));
    // Ours serves the two kinds in different ways; stock does not know the setting.
    conf.set(TierKey.LOCAL_DIRS.key(), "[NVME]" + localDirs.get(0) + ",[DISK]" + localDirs.get(1));
    settings.forEach(conf::set);
    service.setAuxiliaryLocalPathHandler(new LocalPaths(conf));
    if (recovery != null) {
      service.setRecoveryPath(new org.apache.hadoop.fs.Path(recovery.toString()));
    }
    try {
      service.init(conf);
      service.start();
      int port = ShuffleHandler.deserializeMetaData(service.getMetaData());
      return new ShuffleServer(service, new MapOutputs(localDirs), port);
    } catch (IOException | RuntimeException | Error e) {
      service.stop();
      throw e;
    }
  }

  ShuffleHandler handler() {
    return (ShuffleHandler) service;
  }

  /** Bytes of segments that were read and not yet sent; stock keeps no account. */
  long segmentBytes() {
    return service instanceof LaneShuffleHandler ours && ours.tier != null
        ? ours.tier.handler.segmentBytes()
        : 0;
  }

  /** Has clients connect by these sockets from now on. */
  ShuffleServer reachedBy(SocketFactory those) {
    sockets = those;
    return this;
  }

  /** Writes map outputs into the handler's dirs. */
  MapOutputs outputs() {
    return outputs;
  }

  int port() {
    return port;
  }

  /** Tells the handler of a job. */
  ShuffleJob startJob(String user, int number) {
    ShuffleJob job = new ShuffleJob(user, number);
    service.initializeApplication(job.start());
    return job;
  }

  /** Tells the handler that a job has ended. */
  void endJob(ShuffleJob job) {
    service.stopApplication(job.end());
  }

  RawHttp connect() throws IOException {
    return connect(0);
  }

  /**
   * Connects.
   *
   * @param receiveBytes size of the client's receive buffer, 0 for the system's default
   */
  RawHttp connect(int receiveBytes) throws IOException {
    return RawHttp.connect(port, sockets, receiveBytes);
  }

  /** A correct request for a partition of these outputs. */
  RawRequest request(ShuffleJob job, int reduce, List<Output> outputs) {
    return RawRequest.of(job, reduce, MapOutputs.attempts(outputs)).sign(job, port);
  }

  /** One correct request on a connection of its own. */
  RawHttp.Response fetch(ShuffleJob job, int reduce, List<String> maps) throws IOException {
    try (RawHttp http = connect()) {
      return http.exchange(RawRequest.of(job, reduce, maps).sign(job, port));
    }
  }

  /** Fails when it answers for a partition of these outputs with anything but their bytes. */
  void assertServes(ShuffleJob job, int reduce, List<Output> outputs) throws IOException {
    try (RawHttp http = connect()) {
      RawHttp.Response response = http.exchange(request(job, reduce, outputs));
      assertEquals(200, response.status(), response::text);
      assertEquals(MapOutputs.segments(outputs, reduce), response.segments());
    }
  }

  @Override
  public void close() {
    service.stop();
  }

  /** Paths as the NodeManager hands them out to its auxiliary services. */
  private static final class LocalPaths implements AuxiliaryLocalPathHandler {
    private final LocalDirAllocator dirs = new LocalDirAllocator(YarnConfiguration.NM_LOCAL_DIRS);
    private final Configuration conf;

    LocalPaths(Configuration conf) {
      this.conf = conf;
    }

    @Override
    public org.apache.hadoop.fs.Path getLocalPathForRead(String path) throws IOException {
      return dirs.getLocalPathToRead(path, conf);
    }

    @Override
    public org.apache.hadoop.fs.Path getLocalPathForWrite(String path) throws IOException {
      return dirs.getLocalPathForWrite(path, conf);
    }

    @Override
    public org.apache.hadoop.fs.Path getLocalPathForWrite(String path, long size)
        throws IOException {
      return dirs.getLocalPathForWrite(path, size, conf);
    }

    @Override
    public Iterable<org.apache.hadoop.fs.Path> getAllLocalPathsForRead(String path)
        throws IOException {
      return dirs.getAllLocalPathsToRead(path, conf);
    }
  }
}
