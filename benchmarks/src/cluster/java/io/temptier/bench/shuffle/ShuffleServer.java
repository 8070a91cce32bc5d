// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.shuffle;

import io.temptier.lab.process.ParentWatch;
import io.temptier.shuffle.TieredShuffleHandler;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.ShuffleHandler;
import org.apache.hadoop.mapreduce.security.token.JobTokenIdentifier;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.util.StringUtils;
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

  /** Configuration key: the handler's class. */
  static final String HANDLER = "bench.shuffle.handler";

  /** Asks for the port that the handler listens on, which is all it tells. */
  static final String PORT = "port";

  private final List<Path> localDirs;

  private ShuffleServer(List<Path> localDirs) {
    this.localDirs = localDirs;
  }

  /**
   * Serves until the JVM ends.
   *
   * @throws Exception when the handler does not start
   */
  public static void main(String[] args) throws Exception {
    Configuration conf = new Configuration();
    conf.addResource(new org.apache.hadoop.fs.Path(args[0]));
    AuxiliaryService handler = serve(conf, conf.get(HANDLER));
    int port = ShuffleHandler.deserializeMetaData(handler.getMetaData());
    ParentWatch.answer(Integer.parseInt(args[1]), line -> Integer.toString(port));
  }

  /**
   * Starts a handler.
   *
   * @return to be stopped; its meta data tells its port
   * @throws ReflectiveOperationException when there is no such class
   * @throws IllegalStateException when TempTier's was asked for and fell back to stock's
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
    // Where stock's serves, TempTier's classes may be missing.
    if (!(handler instanceof ShuffleHandler) && !((TieredShuffleHandler) handler).tiered()) {
      handler.stop();
      throw new IllegalStateException(
          "stock Hadoop's shuffle handler serves in TempTier's place; the lines above say why");
    }
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
            StringUtils.hexStringToByte(conf.get(SECRET)),
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
}
