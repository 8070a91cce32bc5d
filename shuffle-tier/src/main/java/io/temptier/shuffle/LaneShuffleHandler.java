// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle;

import io.temptier.hadoop.node.NodeService;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.ShuffleChannelHandlerContext;
import org.apache.hadoop.mapred.ShuffleHandler;
import org.apache.hadoop.yarn.server.api.ApplicationTerminationContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hadoop's shuffle handler, with its port, tokens, TLS, state and limits, but for one thing: no
 * disk is read by a thread that serves anything else. Each device has a lane; what lies on a fast
 * one is served as if the slow ones were not there.
 *
 * <p>Where there are no tiers it does not come up.
 */
public class LaneShuffleHandler extends ShuffleHandler {
  private static final Logger LOG = LoggerFactory.getLogger(LaneShuffleHandler.class);

  private @Nullable NodeService node;
  @Nullable ShuffleChannelHandlerContext context;
  volatile @Nullable ShuffleTier tier;

  @Override
  protected void serviceInit(Configuration conf) throws Exception {
    NodeService entered = NodeService.enter(NodeService.Door.SHUFFLE, conf);
    node = entered;
    if (!entered.tiers().isPresent()) {
      throw new NoTiersException(entered.whyOff());
    }
    super.serviceInit(conf);
  }

  @Override
  protected ShuffleChannelHandlerContext createHandlerContext() {
    ShuffleChannelHandlerContext created = super.createHandlerContext();
    context = created;
    return created;
  }

  @Override
  protected void serviceStart() throws Exception {
    super.serviceStart();
    NodeService entered = Objects.requireNonNull(node);
    ShuffleTier started =
        new ShuffleTier(entered, getConfig(), Objects.requireNonNull(context), this::stockPath, ms);
    tier = started;
    started.adopt(allChannels);
    LOG.info("TempTier serves map outputs from {}", entered.tiers().get().layout());
  }

  private Path stockPath(String relativePath) throws IOException {
    return Paths.get(
        getAuxiliaryLocalPathHandler().getLocalPathForRead(relativePath).toUri().getPath());
  }

  @Override
  public void stopApplication(ApplicationTerminationContext ending) {
    try {
      super.stopApplication(ending);
    } finally {
      // After it: no request of the job is let in any more.
      ShuffleTier running = tier;
      if (running != null) {
        running.applicationEnded(ending.getApplicationId().toString());
      }
    }
  }

  @Override
  protected void serviceStop() throws Exception {
    try {
      super.serviceStop();
    } finally {
      ShuffleTier running = tier;
      tier = null;
      if (running != null) {
        running.close();
      }
      if (node != null) {
        node.leave(NodeService.Door.SHUFFLE);
      }
    }
  }

  /** TempTier is switched off, or its configuration is wrong; the log says which already. */
  static final class NoTiersException extends IOException {
    private static final long serialVersionUID = 1L;

    NoTiersException(String message) {
      super(message);
    }

    /** Hadoop logs it with its trace, which would look like a fault of the NodeManager. */
    @Override
    public Throwable fillInStackTrace() {
      return this;
    }
  }
}
