// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Eventually;
import io.temptier.fixtures.Skip;
import io.temptier.hadoop.metrics.TierCounter;
import io.temptier.hadoop.node.NodeApplications;
import io.temptier.hadoop.node.NodeTiering;
import io.temptier.tier.BuildVersion;
import io.temptier.tier.FileKind;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.Placement;
import io.temptier.tier.PlacementRequest;
import io.temptier.tier.Reason;
import io.temptier.tier.journal.PlacementJournal;
import io.temptier.tier.kernel.KernelClassifier;
import io.temptier.tier.marker.NodeMarker;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Field;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.Stream;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.LocalDirAllocator;
import org.apache.hadoop.fs.LocalDirSeam;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.nodemanager.Context;
import org.apache.hadoop.yarn.server.nodemanager.LocalDirsHandlerService;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.application.Application;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.application.ApplicationState;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.Container;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerState;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The listener with a real handler of local dirs, as a NodeManager drives the two. */
class NodeManagerTieringTest {
  private static final ApplicationId APP = ApplicationId.newInstance(1, 1);

  private static final int UID_OF_NOBODY = 65534;

  @TempDir Path temp;

  private final ConcurrentMap<ApplicationId, Application> applications = new ConcurrentHashMap<>();
  private final ConcurrentMap<ContainerId, Container> containers = new ConcurrentHashMap<>();
  private final LocalDirsHandlerService handler = new LocalDirsHandlerService();
  private final NodeManagerTiering listener = new NodeManagerTiering();
  private final MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
  private Configuration conf = new Configuration(false);
  private Path nvme = Path.of("/");
  private Path disk = nvme;

  @BeforeEach
  void configure() {
    DefaultMetricsSystem.initialize("NodeManager");
    nvme = temp.resolve("nvme");
    disk = temp.resolve("disk");
    conf = new YarnConfiguration();
    conf.set(YarnConfiguration.NM_LOCAL_DIRS, nvme + "," + disk);
    conf.set(YarnConfiguration.NM_LOG_DIRS, temp.resolve("logs").toString());
    // The machine that runs the test may be short of space.
    conf.set(YarnConfiguration.NM_MAX_PER_DISK_UTILIZATION_PERCENTAGE, "100");
    conf.set("temptier.reserve", "1m");
    conf.set("temptier.local-dirs", "[NVME]" + nvme + ",[DISK]" + disk);
  }

  @AfterEach
  void stop() {
    handler.stop();
    DefaultMetricsSystem.shutdown();
    assertFalse(beans.isRegistered(name("TempTierInfo")));
    assertFalse(beans.isRegistered(name("TempTierHistory")));
  }

  private Context context() {
    return proxy(
        Context.class,
        method ->
            switch (method) {
              case "getLocalDirsHandler" -> handler;
              case "getConf" -> conf;
              case "getApplications" -> applications;
              case "getContainers" -> containers;
              default -> throw new AssertionError("not expected to be asked: " + method);
            });
  }

  private static <T> T proxy(Class<T> type, java.util.function.Function<String, Object> answers) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> answers.apply(method.getName())));
  }

  private void startNodeManager() {
    listener.init(context());
    handler.init(conf);
    handler.start();
  }

  private static ObjectName name(String bean) {
    try {
      return new ObjectName("Hadoop:service=NodeManager,name=" + bean);
    } catch (javax.management.MalformedObjectNameException e) {
      throw new AssertionError(e);
    }
  }

  private Object attribute(String bean, String attribute) throws Exception {
    return beans.getAttribute(name(bean), attribute);
  }

  private String info(String attribute) throws Exception {
    return String.valueOf(attribute("TempTierInfo", attribute));
  }

  /** Who answers, below the field that holds stock's own allocator. */
  private static @Nullable Object allocatorContext() throws ReflectiveOperationException {
    Field contexts = LocalDirAllocator.class.getDeclaredField("contexts");
    contexts.setAccessible(true);
    return ((Map<?, ?>) contexts.get(null)).get("yarn.nodemanager.good-local-dirs");
  }

  private void assertStock() throws Exception {
    assertFalse(allocatorContext() instanceof LocalDirSeam);
    assertEquals("STOCK", info("Mode"));
    assertTrue(handler.getLocalPathForWrite("nmPrivate/x").toString().endsWith("nmPrivate/x"));
  }

  /** At once, whatever is being put into the tree meanwhile. */
  private void delete(Path tree) throws IOException {
    Path gone = temp.resolve("gone" + System.nanoTime());
    Files.move(tree, gone);
    try (var paths = Files.walk(gone)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }

  @Test
  void placesTheNodeManagersFilesAndShowsIt() throws Exception {
    startNodeManager();
    assertTrue(allocatorContext() instanceof LocalDirSeam);
    org.apache.hadoop.fs.Path placed = handler.getLocalPathForWrite("nmPrivate/token");
    assertEquals(nvme.resolve("nmPrivate/token").toString(), placed.toUri().getPath());
    assertEquals("ACTIVE", info("Mode"));
    assertEquals("NVME over DISK by FAST_FIRST", info("ModeReason"));
    assertEquals(BuildVersion.get(), info("Version"));
    assertTrue(info("Fingerprint").matches("[0-9a-f]{8}"), info("Fingerprint"));
    assertTrue(info("Layout").contains("\"path\":\"" + nvme + "\""), info("Layout"));
    assertTrue(info("Settings").contains("\"policy\":\"FAST_FIRST\""), info("Settings"));
    assertTrue(info("Decisions").contains("\"kind\":\"NM_PRIVATE\""), info("Decisions"));
    assertFalse(info("Decisions").contains("token"), "names of files are nobody's business");
    assertTrue(info("Tiers").contains("\"FilesPlaced\":1,"), info("Tiers"));
    assertTrue(info("Node").contains("\"Active\":1,"), info("Node"));
    Eventually.holds(
        "Hadoop's cache of it is old", () -> attribute("TempTier-NVME", "FilesPlaced").equals(1L));
    assertEquals(0L, attribute("TempTier-DISK", "FilesPlaced"));
    assertEquals(1L, attribute("TempTier", "Active"));
    assertEquals("ACTIVE", attribute("TempTier", "tag.Mode"));
    Eventually.holds(
        "capacity is read", () -> info("Dirs").contains("\"readable\":true,\"capacityBytes\""));
    assertTrue(Files.exists(nvme.resolve(".temptier/placements")));
  }

  @Test
  void everyNumberIsInJmx() throws Exception {
    startNodeManager();
    for (TierCounter counter : TierCounter.values()) {
      String bean = counter.scope() == TierCounter.Scope.TIER ? "TempTier-NVME" : "TempTier";
      assertTrue(attribute(bean, counter.attribute()) instanceof Long, counter.attribute());
    }
  }

  @Test
  void tellsTasksBeforeTheFirstContainer() throws Exception {
    startNodeManager();
    for (Path root : List.of(nvme, disk)) {
      assertEquals(
          List.of(Medium.NVME, Medium.DISK),
          NodeMarker.read(root).orElseThrow().layout().dirs().stream()
              .map(LocalDir::medium)
              .toList());
      assertTrue(Files.isDirectory(root.resolve(".temptier/claims")));
      Eventually.holds("state is there", () -> Files.exists(root.resolve(".temptier/state")));
    }
  }

  @Test
  void leavesModesAndOwnersOfLocalDirsAsStockDoes() throws Exception {
    startNodeManager();
    Integer mode = (Integer) Files.getAttribute(nvme, "unix:mode");
    assertEquals(0755, mode == null ? -1 : mode & 07777);
    try (var files = Files.list(disk)) {
      assertEquals(List.of(disk.resolve(".temptier")), files.toList());
    }
  }

  @Test
  void tellsWhichApplicationsRun() throws Exception {
    assertEquals(Optional.empty(), NodeApplications.running());
    int id = 10;
    for (ApplicationState state : ApplicationState.values()) {
      applications.put(
          ApplicationId.newInstance(1, id++),
          proxy(Application.class, method -> method.equals("getUser") ? "ann" : state));
    }
    startNodeManager();
    assertEquals(
        Optional.of(Map.of("application_1_0011", "ann", "application_1_0012", "ann")),
        NodeApplications.running(),
        "those that are INITING or RUNNING, of " + List.of(ApplicationState.values()));
    Context other = proxy(Context.class, method -> method);
    NodeApplications.provide(other);
    try {
      assertEquals(Optional.empty(), NodeApplications.running(), "nobody knows of which node");
    } finally {
      NodeApplications.withdraw(other);
    }
  }

  @Test
  void tellsOfNoApplicationsOnceItIsOff() throws Exception {
    startNodeManager();
    assertEquals(Optional.of(Map.of()), NodeApplications.running());
    handler.stop();
    assertEquals(Optional.empty(), NodeApplications.running());
  }

  @Test
  void countsWhatTasksPlaced() throws Exception {
    Application application =
        proxy(
            Application.class,
            method -> {
              assertEquals("getUser", method);
              return "ann";
            });
    applications.put(APP, application);
    startNodeManager();
    Path appDir =
        Files.createDirectories(nvme.resolve("usercache/ann/appcache").resolve(APP.toString()));
    try (PlacementJournal journal = PlacementJournal.ofApplication(List.of(appDir))) {
      PlacementRequest request =
          new PlacementRequest("output/x", FileKind.SPILL, 10, true, APP.toString(), 0);
      LocalDir dir = new LocalDir(disk, Medium.DISK, LocalDir.NO_CAP, "tag");
      Placement placement =
          new Placement(
              dir, Reason.FULL, List.of(new Placement.Refusal(Medium.NVME, Reason.FULL, 0)));
      journal.placed(request, placement);
      journal.settled(request, placement, 7);
    }
    Eventually.holds("the journal is read", () -> info("Node").contains("\"BytesSpilledDown\":7,"));
    assertTrue(info("Node").contains("\"FilesSpilledDown\":1,"), info("Node"));
    Eventually.holds("the history has it", () -> history().contains("\"bytesSpilled\":7"));
    String line = "{\"medium\":\"NVME\",\"reason\":\"FULL\",\"files\":1,\"bytes\":7}";
    assertTrue(history().contains(line), history());
    // Without recovery no application outlives the NodeManager.
    handler.stop();
    Path file = disk.resolve(".temptier/history");
    assertTrue(
        Files.readString(file).startsWith("{\"v\":1,\"app\":\"" + APP + "\",\"user\":\"ann\""));
    assertFalse(
        Files.readString(file).contains("output/x"), "names of files are nobody's business");
  }

  private String history() throws Exception {
    return String.valueOf(attribute("TempTierHistory", "Applications"));
  }

  @Test
  void setsUpARootThatWasEmptiedOrVanishedAndCameBack() throws Exception {
    startNodeManager();
    delete(disk.resolve(".temptier"));
    Eventually.holds("the emptied root is set up", () -> NodeMarker.read(disk).isPresent());
    delete(disk);
    // Placement makes a missing dir again, as stock does, should it come by.
    Eventually.holds(
        "the missing root is seen",
        () -> info("Dirs").contains("\"readable\":false") || Files.exists(disk));
    Files.createDirectories(disk);
    Eventually.holds("the root that is back is set up", () -> NodeMarker.read(disk).isPresent());
    Eventually.holds("it is read", () -> !info("Dirs").contains("\"readable\":false"));
    assertTrue(info("Node").contains("\"RootsRestored\":2,"), info("Node"));
  }

  @Test
  void runsOnStockWhereTheConfigurationIsWrongAndWithdrawsOldMarkers() throws Exception {
    startNodeManager();
    handler.stop();
    assertTrue(NodeMarker.read(nvme).isPresent(), "running tasks may still look at it");

    LocalDirsHandlerService second = new LocalDirsHandlerService();
    conf.set("temptier.local-dirs", "[FLOPPY]" + nvme);
    NodeTiering tiering = start(second, LocalDirSeam::put);
    try {
      assertEquals("STOCK", info("Mode"));
      assertTrue(info("ModeReason").contains("FLOPPY"), info("ModeReason"));
      assertTrue(info("Findings").contains("\"severity\":\"ERROR\""), info("Findings"));
      assertEquals("[]", info("Tiers"));
      assertEquals(0L, attribute("TempTier", "Active"));
      assertTrue(info("Node").contains("\"StockFallbacks\":1,"), info("Node"));
      assertTrue(NodeMarker.read(nvme).isEmpty());
      assertTrue(second.getLocalPathForWrite("nmPrivate/x").toString().endsWith("nmPrivate/x"));
    } finally {
      tiering.close();
      second.stop();
    }
  }

  private NodeTiering start(LocalDirsHandlerService service, NodeTiering.Seams seams) {
    service.init(conf);
    return NodeTiering.start(
        context(), service, new KernelClassifier(), DefaultMetricsSystem.instance(), seams);
  }

  @ParameterizedTest
  @ValueSource(
      classes = {NoSuchFieldException.class, NoClassDefFoundError.class, IllegalAccessError.class})
  void runsOnStockWhereHadoopIsBuiltInAnotherWay(Class<? extends Throwable> refusal)
      throws Exception {
    NodeTiering tiering = start(handler, (key, validator, chooser) -> refuse(refusal));
    try {
      assertStock();
      assertTrue(info("ModeReason").contains("contexts"), info("ModeReason"));
      assertTrue(info("Node").contains("\"StockFallbacks\":1,"), info("Node"));
      assertTrue(NodeMarker.read(nvme).isEmpty());
    } finally {
      tiering.close();
    }
  }

  private static LocalDirSeam refuse(Class<? extends Throwable> refusal)
      throws ReflectiveOperationException {
    Throwable thrown = refusal.getConstructor(String.class).newInstance("contexts");
    if (thrown instanceof LinkageError e) {
      throw e;
    }
    throw (ReflectiveOperationException) thrown;
  }

  @Test
  void runsOnStockWhenSwitchedOff() throws Exception {
    conf.setBoolean("temptier.enabled", false);
    startNodeManager();
    assertStock();
    assertTrue(info("ModeReason").contains("temptier.enabled"), info("ModeReason"));
    assertTrue(info("Node").contains("\"ConfigErrors\":0,"), info("Node"));
    assertTrue(info("Node").contains("\"StockFallbacks\":0,"), "it is as the operator wants it");
  }

  @Test
  void worksOnWithAFolderThatAnotherUserPlanted() throws Exception {
    Skip.unlessRoot("only root can give a folder away");
    Files.createDirectories(nvme.resolve(".temptier"));
    Files.setAttribute(nvme.resolve(".temptier"), "unix:uid", 54322);
    startNodeManager();
    assertEquals("ACTIVE", info("Mode"));
    assertTrue(NodeMarker.read(nvme).isEmpty());
    assertTrue(NodeMarker.read(disk).isPresent());
    assertTrue(handler.getLocalPathForWrite("nmPrivate/x").toString().endsWith("nmPrivate/x"));
    delete(nvme.resolve(".temptier"));
    Eventually.holds("the folder is ours again", () -> NodeMarker.read(nvme).isPresent());
  }

  /** Whose containers do not renew their claims, and cannot be seen. */
  @Test
  void givesItsWordForContainersThatRun() throws Exception {
    Skip.unlessRoot("claims of another user");
    List<String> names = new ArrayList<>();
    for (boolean ended : new boolean[] {false, true}) {
      ContainerId id =
          ContainerId.newContainerId(ApplicationAttemptId.newInstance(APP, 1), ended ? 2 : 1);
      containers.put(id, proxy(Container.class, method -> ended));
      names.add(id.toString());
    }
    applications.put(APP, proxy(Application.class, method -> "ann"));
    startNodeManager();
    Files.createDirectories(nvme.resolve("usercache/ann"));
    Files.setAttribute(nvme.resolve("usercache/ann"), "unix:uid", UID_OF_NOBODY);
    Path claims = NodeMarker.claims(nvme);
    for (String container : names) {
      Path claim = Files.createFile(claims.resolve("500-4194305-1-" + container + "-1"));
      Files.setAttribute(claim, "unix:uid", UID_OF_NOBODY);
      Files.setLastModifiedTime(claim, FileTime.fromMillis(System.currentTimeMillis() - 4_000));
    }
    Eventually.holds("the second is over", () -> names(claims, "500-").size() == 1);
    assertTrue(names(claims, "500-").get(0).contains(names.get(0)));
    Eventually.holds("the word is given", () -> names(claims, "0-").toString().contains("contain"));
    assertFalse(names(claims, "0-").toString().contains(names.get(1)));
  }

  private static List<String> names(Path folder, String prefix) {
    String[] names = folder.toFile().list((dir, name) -> name.startsWith(prefix));
    return names == null ? List.of() : List.of(names);
  }

  /** Anybody reads them who reaches the NodeManager's port. */
  @Test
  void metricsTellWhoClaimsTooMuchAndNoNameThatAUserGave() throws Exception {
    Skip.unlessRoot("files of two users");
    ApplicationId other = ApplicationId.newInstance(1, 2);
    applications.put(APP, proxy(Application.class, method -> "ann"));
    applications.put(other, proxy(Application.class, method -> "bob"));
    startNodeManager();
    for (String user : List.of("ann", "bob")) {
      ApplicationId application = user.equals("ann") ? APP : other;
      Path cache = Files.createDirectories(nvme.resolve("usercache").resolve(user));
      Path appDir = Files.createDirectories(cache.resolve("appcache").resolve("" + application));
      Path secret = Files.createFile(appDir.resolve("secret-of-" + user));
      try (PlacementJournal journal = PlacementJournal.ofApplication(List.of(appDir))) {
        journal.placed(
            new PlacementRequest(
                secret.getFileName().toString(), FileKind.SPILL, 1, true, "" + application, 0),
            new Placement(
                new LocalDir(nvme, Medium.NVME, LocalDir.NO_CAP, "tag"),
                Reason.FASTEST,
                List.of()));
      }
      try (Stream<Path> all = Files.walk(cache)) {
        for (Path path : all.toList()) {
          Files.setAttribute(path, "unix:uid", user.equals("ann") ? 30_001 : 30_002);
        }
      }
    }
    Path surplus = Files.createFile(NodeMarker.claims(nvme).resolve("secret-of-bob"));
    Files.setAttribute(surplus, "unix:uid", 30_002);
    Eventually.holds("both journals are read", () -> info("Tiers").contains("\"FilesPlaced\":2,"));
    Eventually.holds("the surplus is counted", () -> everythingSaid().contains("30002"));
    assertFalse(everythingSaid().contains("30001"), everythingSaid());
    assertFalse(everythingSaid().contains("secret"), everythingSaid());
  }

  /** Every attribute of all our beans. */
  private String everythingSaid() throws Exception {
    StringBuilder said = new StringBuilder();
    for (ObjectName bean : beans.queryNames(new ObjectName("Hadoop:name=TempTier*,*"), null)) {
      for (MBeanAttributeInfo attribute : beans.getMBeanInfo(bean).getAttributes()) {
        said.append(attribute.getName()).append('=');
        said.append(beans.getAttribute(bean, attribute.getName())).append('\n');
      }
    }
    assertTrue(said.toString().contains("FilesPlaced"), said.toString());
    return said.toString();
  }

  @Test
  void nothingThatGoesWrongReachesTheNodeManager() {
    Context broken =
        proxy(
            Context.class,
            method -> {
              throw new NoClassDefFoundError("made up: " + method);
            });
    assertDoesNotThrow(() -> listener.init(broken));
    Context empty = proxy(Context.class, method -> null);
    assertDoesNotThrow(() -> new NodeManagerTiering().init(empty));
    conf.set("temptier.local-dirs", "[NVME:9999999999999999999g,,]][/nowhere\0,relative dir");
    conf.set("temptier.policy", "\u0000");
    conf.set("temptier.reserve", "-1%");
    conf.set("temptier.capacity.refresh", "soon");
    assertDoesNotThrow(this::startNodeManager);
    assertTrue(handler.isInState(org.apache.hadoop.service.Service.STATE.STARTED));
    assertDoesNotThrow(this::assertStock);
  }

  @Test
  void transitionsOfContainersAreHeardAtAnyTime() {
    assertDoesNotThrow(() -> transition(ContainerState.DONE));
    startNodeManager();
    assertDoesNotThrow(() -> transition(ContainerState.DONE));
    assertDoesNotThrow(() -> transition(ContainerState.RUNNING));
    handler.stop();
    assertDoesNotThrow(() -> transition(ContainerState.DONE));
  }

  @SuppressWarnings("NullAway") // Neither the container nor the event is looked at.
  private void transition(ContainerState after) {
    listener.preTransition(null, ContainerState.RUNNING, null);
    listener.postTransition(null, ContainerState.RUNNING, after, null);
  }
}
