// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.ceph;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.temptier.lab.cluster.Daemon;
import io.temptier.lab.cluster.HadoopRuntime;
import io.temptier.lab.cluster.LoopbackPorts;
import io.temptier.lab.process.Shell;
import io.temptier.lab.process.Template;
import io.temptier.lab.testbed.Opened;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * A real Ceph on loopback: one monitor, one OSD on BlueStore in a sparse file, gateways. Without
 * authentication inside Ceph; users of the gateways have keys. Not thread-safe.
 *
 * <p>Whoever made its folder sees to it that nothing is left should this JVM be killed.
 */
public final class CephCluster implements Closeable {
  private static final int CONNECT_MILLIS = 1_000;
  private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();
  private static final String MONITOR = "mon.a";
  private static final String OSD = "osd.0";

  private final Path home;
  private final Path conf;
  private final CephSpec spec;
  private final int monitorPort;
  private final List<Integer> gatewayPorts;
  private final List<Daemon> daemons = new ArrayList<>();

  private CephCluster(Path home, CephSpec spec) {
    LoopbackPorts ports = new LoopbackPorts();
    this.home = home;
    this.conf = home.resolve("ceph.conf");
    this.spec = spec;
    this.monitorPort = ports.next();
    this.gatewayPorts = Stream.generate(ports::next).limit(spec.gateways()).toList();
  }

  /**
   * Makes one and starts it. Takes some ten seconds.
   *
   * @param folder where all its files go; absolute, and there
   * @throws IOException when a program is missing or fails, with the end of what it printed; what
   *     was started has ended then
   */
  public static CephCluster start(Path folder, CephSpec spec, Consumer<String> progress)
      throws IOException {
    checkPlain(folder);
    Files.createDirectories(folder.resolve("log"));
    Files.createDirectories(folder.resolve("run"));
    return Opened.ready(
        new CephCluster(folder, spec),
        cluster -> {
          progress.accept("monitor");
          cluster.startMonitor();
          progress.accept("OSD");
          cluster.startOsd();
          progress.accept("gateways");
          cluster.startGateways();
        });
  }

  /** Ceph's configuration file has no quotes, and its comments begin in the middle of a line. */
  static void checkPlain(Path home) throws IOException {
    if (!HadoopRuntime.plain(home)) {
      throw new IOException(
          "Ceph cannot work in " + home + ": its path may hold letters, digits and /._+- only");
    }
  }

  public List<URI> gateways() {
    return gatewayPorts.stream().map(port -> URI.create("http://127.0.0.1:" + port)).toList();
  }

  /**
   * Makes a user of the gateways.
   *
   * @param options of {@code radosgw-admin user create}, such as {@code --op-mask=read}
   */
  public S3Account newAccount(String user, String... options) throws IOException {
    List<String> named = List.of("--uid=" + user, "--display-name=" + user, "--max-buckets=0");
    // What it logs comes before the user.
    String printed = Shell.run(administration("user", "create", named, options));
    JsonNode keys =
        new ObjectMapper().readTree(printed.substring(printed.indexOf('{'))).path("keys").path(0);
    return new S3Account(user, keys.path("access_key").asText(), keys.path("secret_key").asText());
  }

  /** Runs {@code radosgw-admin}; what it printed. */
  public String administer(String... arguments) throws IOException {
    return Shell.run(administration((Object[]) arguments));
  }

  private List<String> administration(Object... arguments) {
    return Shell.line("radosgw-admin", "-c", conf, arguments);
  }

  /**
   * Returns S3A's settings for the first gateway and this user, the keys included: the profile for
   * jobs of all kinds.
   */
  public Map<String, String> s3aProperties(S3Account account) {
    return TestbedFiles.properties(gateways().subList(0, 1), account);
  }

  public void makeBucket(S3Account owner, String bucket) throws IOException {
    owner.makeBucket(gateways().get(0), bucket);
  }

  public GatewayLog log(int index) {
    return new GatewayLog(gateways().get(index), logFile(gateway(index)));
  }

  Path logFile(String daemon) {
    return home.resolve("log").resolve(daemon + ".log");
  }

  /** Ends a daemon without grace. Harmless when it was ended before. */
  void kill(String name) {
    daemons.stream().filter(daemon -> daemon.name().equals(name)).forEach(Daemon::kill);
    daemons.removeIf(daemon -> daemon.name().equals(name));
  }

  /** Sends a daemon's process a signal, such as {@code STOP}. */
  void signal(String name, String signal) throws IOException {
    Shell.run("kill", "-" + signal, Long.toString(daemon(name).handle().pid()));
  }

  private Daemon daemon(String name) {
    return daemons.stream().filter(one -> one.name().equals(name)).findFirst().orElseThrow();
  }

  /** Ends all daemons without grace. What they wrote stays in the folder. */
  @Override
  public void close() {
    // Last started first, so that none misses another.
    while (!daemons.isEmpty()) {
      daemons.remove(daemons.size() - 1).kill();
    }
  }

  private void startMonitor() throws IOException {
    UUID fsid = UUID.randomUUID();
    Files.writeString(conf, confText(home, spec, fsid, monitorPort, gatewayPorts));
    Files.createDirectories(home.resolve(MONITOR));
    String map = home.resolve("monmap").toString();
    String address = "[v2:127.0.0.1:" + monitorPort + "]";
    Shell.run("monmaptool", "--create", "--fsid", fsid.toString(), "--addv", "a", address, map);
    Shell.run(Shell.line("ceph-mon", "-c", conf, "-i", "a", "--mkfs", "--monmap", map));
    start(MONITOR, "ceph-mon", "-i", "a");
  }

  /** Ceph's configuration: one node on loopback, no replicas, small. */
  static String confText(
      Path home, CephSpec spec, UUID fsid, int monitorPort, List<Integer> gatewayPorts)
      throws IOException {
    Map<String, Object> values =
        Map.of(
            "home", home,
            "fsid", fsid,
            "monitorPort", monitorPort,
            "osdBytes", spec.osdBytes());
    StringBuilder text =
        new StringBuilder(Template.text(CephCluster.class, "ceph.conf", values::get));
    for (int i = 0; i < gatewayPorts.size(); i++) {
      text.append(
          """
          [client.rgw.%d]
          rgw frontends = beast endpoint=127.0.0.1:%d tcp_nodelay=1
          """
              .formatted(i, gatewayPorts.get(i)));
    }
    return text.toString();
  }

  private void startOsd() throws IOException {
    String uuid = UUID.randomUUID().toString();
    ceph("osd", "new", uuid, "0");
    Files.createDirectories(home.resolve(OSD));
    Shell.run("ceph-osd", "-c", conf.toString(), "-i", "0", "--mkfs", "--osd-uuid", uuid);
    start(OSD, "ceph-osd", "-i", "0");
  }

  /** The first one makes the pools; it waits for the OSD. */
  private void startGateways() throws IOException {
    for (int i = 0; i < spec.gateways(); i++) {
      startGateway(gateway(i));
      if (i == 0) {
        awaitGateway(0);
      }
    }
    for (int i = 1; i < spec.gateways(); i++) {
      awaitGateway(i);
    }
  }

  private String ceph(String... arguments) throws IOException {
    return Shell.run(Shell.line("ceph", "-c", conf, "--connect-timeout", "30", arguments));
  }

  private void startGateway(String name, Object... options) throws IOException {
    Files.createDirectories(home.resolve(name));
    start(name, "radosgw", "-n", name, options);
  }

  /** Starts a gateway that was ended, and waits until it listens. */
  void restartGateway(int index) throws IOException {
    startGateway(gateway(index));
    awaitGateway(index);
  }

  /** Starts one more, and waits until it listens where its options say. */
  void addGateway(String name, int port, Object... options) throws IOException {
    startGateway(name, options);
    awaitPort(name, port);
  }

  private void start(String name, String program, Object... arguments) throws IOException {
    List<String> command = Shell.inOwnSession(Shell.line(program, "-f", "-c", conf, arguments));
    ProcessBuilder builder = new ProcessBuilder(command).redirectInput(new File("/dev/null"));
    daemons.add(new Daemon(name, builder, home.resolve("log").resolve(name + ".out")));
  }

  private void awaitGateway(int index) throws IOException {
    awaitPort(gateway(index), gatewayPorts.get(index));
  }

  private void awaitPort(String name, int port) throws IOException {
    daemon(name).await(daemons, () -> listens(port));
  }

  private static boolean listens(int port) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(LOOPBACK, port), CONNECT_MILLIS);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  public static String gateway(int index) {
    return "client.rgw." + index;
  }
}
