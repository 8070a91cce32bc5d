// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle;

import io.temptier.hadoop.conf.JarCheck;
import io.temptier.shuffle.LaneShuffleHandler.NoTiersException;
import java.net.BindException;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.service.ServiceOperations;
import org.apache.hadoop.yarn.server.api.ApplicationInitializationContext;
import org.apache.hadoop.yarn.server.api.ApplicationTerminationContext;
import org.apache.hadoop.yarn.server.api.AuxiliaryService;
import org.apache.hadoop.yarn.server.api.ContainerInitializationContext;
import org.apache.hadoop.yarn.server.api.ContainerTerminationContext;
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
 * <p>What serves is {@link LaneShuffleHandler}. Where TempTier is switched off, cannot start, or
 * its jar is for another Hadoop, it is Hadoop's own handler. So this class needs nothing that
 * differs between Hadoops.
 *
 * <p>Of this module two jars are made. {@code shuffle-tier} needs the handler of Hadoop 3.4, which
 * is on Netty 4. {@code shuffle-tier-hadoop33} holds that handler, renamed, for Hadoop 3.3, whose
 * own is on Netty 3.
 */
public final class TieredShuffleHandler extends AuxiliaryService {
  private static final Logger LOG = LoggerFactory.getLogger(TieredShuffleHandler.class);

  /** Name of Hadoop's handler; its constant would name its class in the jar for 3.3. */
  private static final String NAME = "mapreduce_shuffle";

  /** Name that every shuffle handler registers, and none takes back. */
  private static final String METRICS = "ShuffleMetrics";

  // Joined when it runs: in shuffle-tier-hadoop33 the names of classes it holds are renamed.
  private static final String STOCK = "org.apache.hadoop.mapred.".concat("ShuffleHandler");

  private final Supplier<AuxiliaryService> tieredService;
  private @Nullable AuxiliaryService serving;
  private boolean stock;

  public TieredShuffleHandler() {
    this(LaneShuffleHandler::new);
  }

  TieredShuffleHandler(Supplier<AuxiliaryService> tieredService) {
    super(NAME);
    this.tieredService = tieredService;
  }

  @Override
  protected void serviceInit(Configuration conf) throws Exception {
    Optional<String> misfit = misfit();
    if (misfit.isPresent()) {
      LOG.warn(
          "TempTier does not serve map outputs, stock Hadoop's shuffle handler does: {}",
          misfit.get());
      initStock(conf);
      return;
    }
    try {
      init(tieredService.get(), conf);
    } catch (Exception | Error e) {
      giveUp(e);
      initStock(conf);
    }
  }

  @Override
  protected void serviceStart() throws Exception {
    try {
      serving().start();
    } catch (Exception | Error e) {
      if (stock) {
        throw e;
      }
      giveUp(e);
      initStock(getConfig());
      serving().start();
    }
  }

  /** Explains why this jar and the Hadoop around it do not belong together, and what to do. */
  private static Optional<String> misfit() {
    JarCheck jars = JarCheck.of(TieredShuffleHandler.class.getClassLoader());
    return Stream.of(jars.versions(), jars.hadoop(), jars.shuffle())
        .filter(Optional::isPresent)
        .map(trouble -> trouble.get().toString())
        .findFirst();
  }

  private void initStock(Configuration conf) throws ReflectiveOperationException {
    stock = true;
    init(
        Class.forName(STOCK)
            .asSubclass(AuxiliaryService.class)
            .getDeclaredConstructor()
            .newInstance(),
        conf);
  }

  private void init(AuxiliaryService handler, Configuration conf) {
    serving = handler;
    handler.setAuxiliaryLocalPathHandler(getAuxiliaryLocalPathHandler());
    Path recovery = getRecoveryPath();
    if (recovery != null) {
      handler.setRecoveryPath(recovery);
    }
    handler.init(conf);
  }

  /** Leaves port, state and names to stock's handler. */
  private void giveUp(Throwable cause) {
    Throwable root = cause.getCause() == null ? cause : cause.getCause();
    if (root instanceof NoTiersException) {
      LOG.debug("Stock Hadoop's shuffle handler serves map outputs", root);
    } else if (root instanceof BindException) {
      LOG.warn(
          "TempTier does not serve map outputs: port {} (mapreduce.shuffle.port) is taken: {}."
              + " Stock Hadoop's shuffle handler tries it, too. End the process that has it, or set"
              + " another port in mapred-site.xml: one in yarn-site.xml is overridden by Hadoop's"
              + " default.",
          getConfig().get("mapreduce.shuffle.port", "13562"),
          root.toString());
    } else {
      LOG.warn(
          "TempTier does not serve map outputs, stock Hadoop's shuffle handler does. Check that"
              + " TempTier's jars are of one version and name this Hadoop version, and report"
              + " this",
          cause);
    }
    ServiceOperations.stopQuietly(serving);
    DefaultMetricsSystem.instance().unregisterSource(METRICS);
  }

  private AuxiliaryService serving() {
    return Objects.requireNonNull(serving);
  }

  /** True if TempTier serves map outputs, not stock Hadoop's handler in its place. */
  public boolean tiered() {
    return serving != null && !stock;
  }

  @Override
  public void initializeApplication(ApplicationInitializationContext starting) {
    serving().initializeApplication(starting);
  }

  @Override
  public void stopApplication(ApplicationTerminationContext ending) {
    serving().stopApplication(ending);
  }

  @Override
  public void initializeContainer(ContainerInitializationContext starting) {
    serving().initializeContainer(starting);
  }

  @Override
  public void stopContainer(ContainerTerminationContext ending) {
    serving().stopContainer(ending);
  }

  @Override
  public ByteBuffer getMetaData() {
    return serving().getMetaData();
  }

  @Override
  protected void serviceStop() throws Exception {
    if (serving != null) {
      serving.stop();
    }
  }
}
