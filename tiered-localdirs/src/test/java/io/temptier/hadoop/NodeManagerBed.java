// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop;

import static org.junit.jupiter.api.Assertions.assertFalse;

import io.temptier.fixtures.Eventually;
import io.temptier.fixtures.Texts;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Field;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import javax.management.MBeanServer;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.fs.LocalDirAllocator;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.nodemanager.Context;
import org.apache.hadoop.yarn.server.nodemanager.LocalDirsHandlerService;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.application.Application;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.application.ApplicationState;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.Container;
import org.jspecify.annotations.Nullable;

/** The listener with a real handler of local dirs, as a NodeManager drives the two. */
public final class NodeManagerBed implements AutoCloseable {
  /** Its configuration, to be changed before the start. */
  public final Configuration conf = new YarnConfiguration();

  public final ConcurrentMap<ApplicationId, Application> applications = new ConcurrentHashMap<>();

  final ConcurrentMap<ContainerId, Container> containers = new ConcurrentHashMap<>();
  final LocalDirsHandlerService handler = new LocalDirsHandlerService();
  final NodeManagerTiering listener = new NodeManagerTiering();
  final MBeanServer beans = ManagementFactory.getPlatformMBeanServer();

  private final Path temp;

  /**
   * A node that is not started.
   *
   * @param temp for its logs, and what is deleted
   * @param dirs its local dirs, each with its tag before it
   */
  public NodeManagerBed(Path temp, String... dirs) {
    this.temp = temp;
    DefaultMetricsSystem.initialize("NodeManager");
    configure(conf, temp, dirs);
  }

  /** Gives a NodeManager its local dirs, each with its tag before it. */
  static void configure(Configuration conf, Path temp, String... dirs) {
    String tagged = String.join(",", dirs);
    conf.set(YarnConfiguration.NM_LOCAL_DIRS, tagged.replaceAll("\\[\\w+]", ""));
    conf.set(YarnConfiguration.NM_LOG_DIRS, temp.resolve("logs").toString());
    // The machine that runs the test may be short of space.
    conf.set(YarnConfiguration.NM_MAX_PER_DISK_UTILIZATION_PERCENTAGE, "100");
    conf.set("temptier.reserve", "1m");
    conf.set("temptier.local-dirs", tagged);
  }

  /** Answers by a method's name, and nothing else. */
  public static <T> T proxy(Class<T> type, Function<String, Object> answers) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> answers.apply(method.getName())));
  }

  /** An application that runs, of which nothing else is known. */
  public static Application application(String user) {
    return application(user, ApplicationState.RUNNING);
  }

  /** An application of which nothing else is known. */
  public static Application application(String user, ApplicationState state) {
    return proxy(
        Application.class,
        method ->
            switch (method) {
              case "getUser" -> user;
              case "getApplicationState" -> state;
              default -> throw new AssertionError("not expected to be asked: " + method);
            });
  }

  Context context() {
    return context(handler);
  }

  /** That of the same node with other local dirs. */
  Context context(LocalDirsHandlerService handler) {
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

  public void start() {
    listener.init(context());
    handler.init(conf);
    handler.start();
  }

  static ObjectName name(String bean) {
    try {
      return new ObjectName("Hadoop:service=NodeManager,name=" + bean);
    } catch (MalformedObjectNameException e) {
      throw new AssertionError(e);
    }
  }

  Object attribute(String bean, String attribute) throws Exception {
    return beans.getAttribute(name(bean), attribute);
  }

  String info(String attribute) throws Exception {
    return String.valueOf(attribute("TempTierInfo", attribute));
  }

  void says(String attribute, String... parts) throws Exception {
    Texts.has(info(attribute), parts);
  }

  /** Who answers, below the field that holds stock's own allocator. */
  static @Nullable Object allocatorContext() throws ReflectiveOperationException {
    Field contexts = LocalDirAllocator.class.getDeclaredField("contexts");
    contexts.setAccessible(true);
    return ((Map<?, ?>) contexts.get(null)).get("yarn.nodemanager.good-local-dirs");
  }

  /** At once, whatever is being put into the tree meanwhile. */
  void delete(Path tree) throws IOException {
    Path gone = temp.resolve("gone" + System.nanoTime());
    Files.move(tree, gone);
    // A rename under way when the tree moved may still end in it.
    Eventually.holds("what was moved away is deleted", () -> FileUtil.fullyDelete(gone.toFile()));
  }

  @Override
  public void close() {
    handler.stop();
    DefaultMetricsSystem.shutdown();
    for (String bean : List.of("TempTierInfo", "TempTierHistory")) {
      assertFalse(beans.isRegistered(name(bean)), bean);
    }
  }
}
