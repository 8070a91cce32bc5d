// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle;

import io.temptier.shuffle.output.MapOutputId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/** TempTier's handler over one local dir, for the tests that Hadoop has of its own handler. */
public class OneDirShuffleHandler extends LaneShuffleHandler {
  /** Names of an output's files, in place of those that Hadoop's test makes up. */
  public static final String DATA_FILE_NAME = MapOutputId.DATA;

  /** The index beside it. */
  public static final String INDEX_FILE_NAME = MapOutputId.INDEX;

  private static final int PORT = freePort();

  private final Path localDir;

  /** A handler of the outputs below {@code localDir}. */
  public OneDirShuffleHandler(Path localDir) {
    this.localDir = localDir;
  }

  /** One port for all, for a restart to find it again: stock's default may be in use. */
  @Override
  protected void serviceInit(Configuration conf) throws Exception {
    conf.set(YarnConfiguration.NM_LOCAL_DIRS, localDir.toString());
    conf.setInt(SHUFFLE_PORT_CONFIG_KEY, PORT);
    super.serviceInit(conf);
  }

  private static int freePort() {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
