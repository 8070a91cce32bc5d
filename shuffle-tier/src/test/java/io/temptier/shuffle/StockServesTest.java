// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.OtherUser;
import io.temptier.fixtures.Texts;
import io.temptier.hadoop.conf.TierKey;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.net.SocketFactory;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.ShuffleHandler;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.service.ServiceStateException;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.api.AuxiliaryService;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The class that a NodeManager is configured with, where TempTier can serve and where not, as its
 * jar is for another Hadoop. Other Hadoops are tried in the lab.
 */
final class StockServesTest {
  @AutoClose("stop")
  private TieredShuffleHandler handler = new TieredShuffleHandler();

  private final Configuration conf = new Configuration();
  @TempDir private Path folder;

  @BeforeEach
  void setUp() {
    DefaultMetricsSystem.setMiniClusterMode(true);
    conf.setInt(ShuffleHandler.SHUFFLE_PORT_CONFIG_KEY, 0);
    conf.set(YarnConfiguration.NM_LOCAL_DIRS, folder.toString());
  }

  @Test
  void tempTierServes() throws Exception {
    assertAnswers(true);
  }

  @Test
  void stockServesWhereTempTierIsSwitchedOff() throws Exception {
    conf.set(TierKey.ENABLED.key(), "false");
    assertAnswers(false);
  }

  /** Early: a class it needs is not there. */
  @Test
  void stockServesWhereTempTierCannotBeSetUp() throws Exception {
    handler =
        new TieredShuffleHandler(
            () -> {
              throw new NoClassDefFoundError("as where Hadoop is another");
            });
    assertAnswers(false);
  }

  /** Late: by then it has opened its port and its state. */
  @ParameterizedTest
  @ValueSource(classes = {NoSuchMethodError.class, OutOfMemoryError.class})
  void stockServesWhereTempTierCannotStart(Class<? extends Error> trouble) throws Exception {
    handler =
        new TieredShuffleHandler(
            () ->
                new LaneShuffleHandler() {
                  @Override
                  protected void serviceStart() throws Exception {
                    super.serviceStart();
                    throw trouble.getConstructor(String.class).newInstance("made up");
                  }
                });
    handler.setRecoveryPath(new org.apache.hadoop.fs.Path(folder.toString()));
    assertAnswers(false);
  }

  /** Hadoop logs why it could not be set up: one line, whose remedy is not buried in a trace. */
  @Test
  void aConfigurationThatIsWrongLeavesNoTrace() {
    conf.set(TierKey.RESERVE.key(), "lots");
    Throwable failure =
        assertThrows(ServiceStateException.class, () -> new LaneShuffleHandler().init(conf));
    Throwable why = Objects.requireNonNull(failure.getCause());
    assertTrue(why.toString().contains("not a size"), why.toString());
    assertEquals(0, why.getStackTrace().length);
  }

  @Test
  void aPortThatIsTakenIsSaidToBe() throws Exception {
    try (Warnings warnings = new Warnings(TieredShuffleHandler.class.getName());
        ServerSocket taken = new ServerSocket(0)) {
      conf.setInt(ShuffleHandler.SHUFFLE_PORT_CONFIG_KEY, taken.getLocalPort());
      assertThrows(ServiceStateException.class, () -> assertAnswers(true));
      String said = warnings.lines().toString();
      Texts.has(said, "mapreduce.shuffle.port", "" + taken.getLocalPort(), "mapred-site.xml");
    }
  }

  /** One that is not for this Hadoop. */
  @Test
  void theJarOfHadoop33OnALaterOneLeavesItToStock() throws Exception {
    Path jar = folder.resolve("jar");
    URL from = TieredShuffleHandler.class.getProtectionDomain().getCodeSource().getLocation();
    OtherUser.copy(Path.of(from.toURI()), jar);
    Path pom =
        jar.resolve("META-INF/maven/io.temptier/temptier-shuffle-tier-hadoop33/pom.properties");
    Files.createDirectories(pom.getParent());
    Files.writeString(pom, "version=0.2.0");
    try (Warnings warnings = new Warnings(TieredShuffleHandler.class.getName());
        OfFolder loader = new OfFolder(jar.toUri().toURL());
        ShuffleServer server =
            ShuffleServer.start(create(loader), folder.resolve("node"), null, Map.of())) {
      ShuffleJob job = server.startJob("alice", 1);
      server.assertServes(job, 0, server.outputs().write(job, 1, 100));
      assertEquals(1, warnings.lines().size(), warnings.lines()::toString);
      String warning = warnings.lines().get(0);
      assertTrue(warning.contains("stock Hadoop's shuffle handler does"), warning);
      assertTrue(warning.contains(jar + " is for Hadoop 3.3"), warning);
    }
  }

  private static AuxiliaryService create(ClassLoader loader) throws ReflectiveOperationException {
    Class<?> ours = loader.loadClass(TieredShuffleHandler.class.getName());
    assertNotEquals(TieredShuffleHandler.class, ours);
    return (AuxiliaryService) ours.getConstructor().newInstance();
  }

  /** Our classes from a folder, and all others as in this JVM. */
  private static final class OfFolder extends URLClassLoader {
    OfFolder(URL folder) {
      super(new URL[] {folder}, TieredShuffleHandler.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      synchronized (getClassLoadingLock(name)) {
        Class<?> loaded = findLoadedClass(name);
        if (loaded == null && name.startsWith("io.temptier.shuffle.")) {
          loaded = findClass(name);
        }
        return loaded == null ? super.loadClass(name, resolve) : loaded;
      }
    }

    /** The parent's copy of the handler counts for none, nor do the versions of its jars. */
    @Override
    public Enumeration<URL> getResources(String name) throws IOException {
      return name.startsWith("io/temptier/shuffle/")
              || name.startsWith("META-INF/maven/io.temptier/")
          ? findResources(name)
          : super.getResources(name);
    }
  }

  /** The meta data is for reducers, and a request without a hash is for nobody. */
  private void assertAnswers(boolean tiered) throws Exception {
    handler.init(conf);
    handler.start();
    assertEquals(tiered, handler.tiered());
    int port = ShuffleHandler.deserializeMetaData(handler.getMetaData());
    try (RawHttp http = RawHttp.connect(port, SocketFactory.getDefault(), 0)) {
      assertEquals(
          401, http.exchange(RawRequest.of(new ShuffleJob("alice", 1), 0, List.of("m"))).status());
    }
  }
}
