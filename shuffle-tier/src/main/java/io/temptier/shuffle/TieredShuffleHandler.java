// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle;

import io.temptier.hadoop.conf.JarCheck;
import io.temptier.hadoop.conf.TierConfig;
import io.temptier.tier.Immutable;
import io.temptier.tier.NodeTiers;
import io.temptier.tier.kernel.KernelClassifier;
import io.temptier.tier.marker.MountPins;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Objects;
import java.util.Optional;
import org.apache.hadoop.mapred.ShuffleChannelHandlerContext;
import org.apache.hadoop.mapred.ShuffleHandler;
import org.apache.hadoop.yarn.server.api.ApplicationTerminationContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves map outputs in place of Hadoop's shuffle handler:
 *
 * <pre>
 * yarn.nodemanager.aux-services.mapreduce_shuffle.class = io.temptier.shuffle.TieredShuffleHandler
 * </pre>
 *
 * <p>It is Hadoop's handler, with its port, tokens, TLS, state and limits, but for one thing: no
 * disk is read by a thread that serves anything else. Each device has a lane; what lies on a fast
 * one is served as if the slow ones were not there.
 *
 * <p>Where TempTier is switched off or cannot start, it is Hadoop's handler entirely.
 */
public class TieredShuffleHandler extends ShuffleHandler {
  private static final Logger LOG = LoggerFactory.getLogger(TieredShuffleHandler.class);

  private @Nullable ShuffleChannelHandlerContext context;
  private volatile @Nullable ShuffleTier tier;

  /** Called by the NodeManager. */
  public TieredShuffleHandler() {}

  @Override
  protected ShuffleChannelHandlerContext createHandlerContext() {
    ShuffleChannelHandlerContext created = super.createHandlerContext();
    context = created;
    return created;
  }

  @Override
  protected void serviceStart() throws Exception {
    super.serviceStart();
    try {
      startTier();
    } catch (Exception | LinkageError e) {
      LOG.warn(
          "TempTier does not serve map outputs, stock Hadoop's shuffle handler does. Check that"
              + " TempTier's jars are of one version and name this Hadoop version, and report"
              + " this",
          e);
    }
  }

  private void startTier() throws IOException {
    JarCheck jars = JarCheck.of(TieredShuffleHandler.class.getClassLoader());
    for (Optional<JarCheck.Trouble> trouble :
        Immutable.listOf(jars.versions(), jars.hadoop(), jars.shuffle())) {
      if (trouble.isPresent()) {
        LOG.warn(
            "TempTier does not serve map outputs, stock Hadoop's shuffle handler does: {}",
            trouble.get());
        return;
      }
    }
    TierConfig.Resolution resolution = TierConfig.resolve(getConfig(), new KernelClassifier());
    Optional<NodeTiers> tiers = resolution.tiers();
    if (!tiers.isPresent()) {
      LOG.warn(
          "TempTier does not serve map outputs, stock Hadoop's shuffle handler does: {}",
          resolution.findings().isEmpty() ? "no tiers" : resolution.findings().get(0));
      return;
    }
    // Pinned like the NodeManager's own: nothing is moved to below a mount that is lost.
    ShuffleTier started =
        ShuffleTier.start(
            MountPins.pin(tiers.get()),
            getConfig(),
            Objects.requireNonNull(context),
            this::stockPath,
            ms);
    tier = started;
    started.adopt(allChannels);
    LOG.info("TempTier serves map outputs from {}", tiers.get().layout());
  }

  /** Whether TempTier serves map outputs; stock Hadoop does where it cannot. */
  boolean tiered() {
    return tier != null;
  }

  /** Bytes of segments that were read and not yet sent. */
  long segmentBytes() {
    ShuffleTier running = tier;
    return running == null ? 0 : running.segmentBytes();
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
    }
  }
}
