// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.shuffle;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.ShuffleHandler;
import org.apache.hadoop.mapreduce.security.token.JobTokenIdentifier;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.server.api.ApplicationInitializationContext;
import org.apache.hadoop.yarn.server.api.AuxiliaryLocalPathHandler;
import org.apache.hadoop.yarn.server.api.AuxiliaryService;

/**
 * The main of a JVM that runs one shuffle handler as a NodeManager would: given its local dirs,
 * inited, started, and told of applications. It goes alone on that JVM's class path.
 */
public final class ShuffleServer implements AuxiliaryLocalPathHandler {
  /** Configuration key: the user whose application it is. */
  static final String USER = "bench.shuffle.user";

  /** Configuration key: the application's number's first half. */
  static final String CLUSTER_TIMESTAMP = "bench.shuffle.cluster-timestamp";

  /** Configuration key: how many applications there are, numbered from 1; 1 if it is not set. */
  static final String APPLICATIONS = "bench.shuffle.applications";

  /** Configuration key: the password of every job's token. */
  static final String SECRET = "bench.shuffle.secret";

  /** Appended to the port file's name: the most direct memory that was in use so far. */
  static final String DIRECT = ".direct";

  private static final long SAMPLE_MILLIS = 50;
  private static final long WORTH_WRITING_BYTES = 64 << 10;

  private final List<Path> localDirs;

  private ShuffleServer(List<Path> localDirs) {
    this.localDirs = localDirs;
  }

  /**
   * Serves until the JVM ends.
   *
   * @param args a configuration file, the handler's class, and a file to write the port to
   * @throws Exception when the handler does not start
   */
  public static void main(String[] args) throws Exception {
    Configuration conf = new Configuration();
    conf.addResource(new org.apache.hadoop.fs.Path(args[0]));
    AuxiliaryService handler = serve(conf, args[1]);
    Path portFile = Path.of(args[2]);
    publish(portFile, ShuffleHandler.deserializeMetaData(handler.getMetaData()));
    watchDirectMemory(Path.of(portFile + DIRECT));
  }

  /**
   * Starts a handler.
   *
   * @param conf local dirs, and the keys of this class
   * @return to be stopped; its meta data tells its port
   * @throws ReflectiveOperationException when there is no such class
   * @throws IOException when the token cannot be told
   */
  static AuxiliaryService serve(Configuration conf, String handlerClass)
      throws ReflectiveOperationException, IOException {
    List<Path> dirs = new ArrayList<>();
    for (String dir : conf.getTrimmedStrings("yarn.nodemanager.local-dirs")) {
      dirs.add(Path.of(dir));
    }
    AuxiliaryService handler =
        Class.forName(handlerClass)
            .asSubclass(AuxiliaryService.class)
            .getConstructor()
            .newInstance();
    handler.setAuxiliaryLocalPathHandler(new ShuffleServer(List.copyOf(dirs)));
    handler.init(conf);
    handler.start();
    for (int number = 1; number <= conf.getInt(APPLICATIONS, 1); number++) {
      tell(handler, conf, ApplicationId.newInstance(conf.getLong(CLUSTER_TIMESTAMP, 0), number));
    }
    return handler;
  }

  private static void tell(AuxiliaryService handler, Configuration conf, ApplicationId application)
      throws IOException {
    Text job = new Text(application.toString().replace("application", "job"));
    Token<JobTokenIdentifier> token =
        new Token<>(
            new JobTokenIdentifier(job).getBytes(),
            HexFormat.of().parseHex(conf.get(SECRET)),
            JobTokenIdentifier.KIND_NAME,
            job);
    handler.initializeApplication(
        new ApplicationInitializationContext(
            conf.get(USER), application, ShuffleHandler.serializeServiceData(token)));
  }

  @Override
  public org.apache.hadoop.fs.Path getLocalPathForRead(String path) throws IOException {
    for (org.apache.hadoop.fs.Path found : getAllLocalPathsForRead(path)) {
      return found;
    }
    throw new FileNotFoundException(path + " is in none of " + localDirs);
  }

  @Override
  public org.apache.hadoop.fs.Path getLocalPathForWrite(String path) {
    return new org.apache.hadoop.fs.Path(localDirs.get(0).resolve(path).toString());
  }

  @Override
  public org.apache.hadoop.fs.Path getLocalPathForWrite(String path, long size) {
    return getLocalPathForWrite(path);
  }

  @Override
  public Iterable<org.apache.hadoop.fs.Path> getAllLocalPathsForRead(String path) {
    List<org.apache.hadoop.fs.Path> found = new ArrayList<>();
    for (Path dir : localDirs) {
      if (Files.exists(dir.resolve(path))) {
        found.add(new org.apache.hadoop.fs.Path(dir.resolve(path).toString()));
      }
    }
    return found;
  }

  private static void watchDirectMemory(Path file) throws IOException, InterruptedException {
    BufferPoolMXBean direct = null;
    for (BufferPoolMXBean pool : ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class)) {
      if (pool.getName().equals("direct")) {
        direct = pool;
      }
    }
    long written = -WORTH_WRITING_BYTES;
    while (direct != null) {
      long used = direct.getMemoryUsed();
      if (used >= written + WORTH_WRITING_BYTES) {
        publish(file, used);
        written = used;
      }
      Thread.sleep(SAMPLE_MILLIS);
    }
  }

  private static void publish(Path file, long number) throws IOException {
    Path temp = Path.of(file + ".new");
    Files.writeString(temp, Long.toString(number));
    Files.move(temp, file, StandardCopyOption.ATOMIC_MOVE);
  }
}
