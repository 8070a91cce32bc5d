// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.ceph;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.temptier.bench.cluster.LoopbackPorts;
import io.temptier.bench.testbed.Opened;
import io.temptier.bench.testbed.Shell;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * A real Ceph on loopback: one monitor, OSDs on BlueStore in sparse files, gateways. Without
 * authentication inside Ceph; users of the gateways have keys. Not thread-safe.
 *
 * <p>Whoever made its folder sees to it that nothing is left should this JVM be killed.
 */
public final class CephCluster implements Closeable {
  private static final Duration DEADLINE = Duration.ofMinutes(10);
  private static final long POLL_MILLIS = 100;
  private static final int CONNECT_MILLIS = 1_000;
  private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

  /** In the line that a gateway logs of each request, as web servers do. */
  private static final String ANSWERED = " beast: ";

  private static final String MONITOR = "mon.a";

  private final CephHome home;
  private final CephSpec spec;
  private final int monitorPort;
  private final List<Integer> gatewayPorts;
  private final List<CephDaemon> daemons = new ArrayList<>();

  private CephCluster(CephHome home, CephSpec spec, LoopbackPorts ports) {
    this.home = home;
    this.spec = spec;
    this.monitorPort = ports.next();
    List<Integer> gateways = new ArrayList<>();
    for (int i = 0; i < spec.gateways(); i++) {
      gateways.add(ports.next());
    }
    this.gatewayPorts = List.copyOf(gateways);
  }

  /**
   * Makes one and starts it. Takes some ten seconds.
   *
   * @param folder where all its files go; absolute, and there
   * @param progress told what is being done now
   * @throws IOException when a program is missing or fails, with the end of what it printed; what
   *     was started has ended then
   */
  public static CephCluster start(Path folder, CephSpec spec, Consumer<String> progress)
      throws IOException {
    return Opened.ready(
        new CephCluster(new CephHome(folder).make(), spec, new LoopbackPorts()),
        cluster -> {
          progress.accept("monitor");
          cluster.startMonitor();
          progress.accept("OSDs");
          cluster.startOsds();
          progress.accept("gateways");
          cluster.startGateways();
        });
  }

  /** Where the gateways are. */
  public List<URI> gateways() {
    return gatewayPorts.stream().map(port -> URI.create("http://127.0.0.1:" + port)).toList();
  }

  /**
   * Makes a user of the gateways.
   *
   * @param options of {@code radosgw-admin user create}, such as {@code --op-mask=read}
   */
  public S3Account newAccount(String user, String... options) throws IOException {
    List<String> command = new ArrayList<>();
    command.addAll(List.of("radosgw-admin", "-c", home.conf().toString(), "user", "create"));
    command.addAll(List.of("--uid=" + user, "--display-name=" + user, "--max-buckets=0"));
    command.addAll(List.of(options));
    // What it logs comes before the user.
    String printed = Shell.run(command);
    JsonNode keys =
        new ObjectMapper().readTree(printed.substring(printed.indexOf('{'))).path("keys").path(0);
    return new S3Account(user, keys.path("access_key").asText(), keys.path("secret_key").asText());
  }

  /**
   * What S3A is set to for these gateways and this user, the keys included: the profile for jobs of
   * all kinds.
   */
  public Map<String, String> s3aProperties(S3Account account) {
    return TestbedFiles.properties(gateways(), account);
  }

  /** Makes a bucket that only its owner may use. */
  public void makeBucket(S3Account owner, String bucket) throws IOException {
    NewBucket.make(gateways().get(0), owner, bucket, "private");
  }

  /**
   * Ends a gateway without grace.
   *
   * @param index from 0
   */
  public void killGateway(int index) {
    daemons.stream().filter(d -> d.name().equals(gateway(index))).forEach(CephDaemon::kill);
    daemons.removeIf(daemon -> daemon.name().equals(gateway(index)));
  }

  /**
   * How many requests a gateway has answered since it was first started, by its own log. What it
   * answered within the last moments may not be in there yet.
   */
  public long answeredBy(int index) throws IOException {
    try (Stream<String> lines = Files.lines(home.log(gateway(index)), StandardCharsets.UTF_8)) {
      return lines.filter(line -> line.contains(ANSWERED)).count();
    }
  }

  /** Starts a gateway that was ended, and waits until it listens. */
  public void startGateway(int index) throws IOException {
    home.makeData(gateway(index));
    start(gateway(index), "radosgw", "-n", gateway(index));
    awaitGateway(index);
  }

  /**
   * Starts one more gateway, which speaks https only, and waits until it listens.
   *
   * @param certificate a file with a certificate and its key, as PEM
   * @return where it is
   */
  public URI startTlsGateway(Path certificate) throws IOException {
    String name = "client.rgw.tls";
    int port = new LoopbackPorts().next();
    home.makeData(name);
    String address = "ssl_endpoint=127.0.0.1:" + port + " ssl_certificate=" + certificate;
    start(name, "radosgw", "-n", name, "--rgw-frontends=beast " + address);
    await(name + " on port " + port, () -> listens(port));
    return URI.create("https://127.0.0.1:" + port);
  }

  /** Ends all daemons without grace. What they wrote stays in the folder. */
  @Override
  public void close() {
    // Last started first, so that none misses another.
    for (int i = daemons.size() - 1; i >= 0; i--) {
      daemons.get(i).kill();
    }
    daemons.clear();
  }

  private void startMonitor() throws IOException {
    UUID fsid = UUID.randomUUID();
    Files.writeString(home.conf(), CephConf.text(home, spec, fsid, monitorPort, gatewayPorts));
    Files.writeString(home.keyring(), CephKeyring.text(spec));
    home.makeData(MONITOR);
    String map = home.path().resolve("monmap").toString();
    String address = "[v2:127.0.0.1:" + monitorPort + "]";
    Shell.run("monmaptool", "--create", "--fsid", fsid.toString(), "--addv", "a", address, map);
    Shell.run(
        "ceph-mon",
        "-c",
        home.conf().toString(),
        "-i",
        "a",
        "--mkfs",
        "--monmap",
        map,
        "--keyring",
        home.keyring().toString());
    start(MONITOR, "ceph-mon", "-i", "a");
  }

  private void startOsds() throws IOException {
    for (int i = 0; i < spec.osds(); i++) {
      String id = Integer.toString(i);
      String uuid = UUID.randomUUID().toString();
      ceph("osd", "new", uuid, id);
      home.makeData("osd." + i);
      Shell.run("ceph-osd", "-c", home.conf().toString(), "-i", id, "--mkfs", "--osd-uuid", uuid);
      start("osd." + i, "ceph-osd", "-i", id);
    }
  }

  /** The first one makes the pools; it waits for the OSDs. */
  private void startGateways() throws IOException {
    for (int i = 0; i < spec.gateways(); i++) {
      home.makeData(gateway(i));
      start(gateway(i), "radosgw", "-n", gateway(i));
      if (i == 0) {
        awaitGateway(0);
      }
    }
    for (int i = 1; i < spec.gateways(); i++) {
      awaitGateway(i);
    }
    String wanted = spec.osds() + " up";
    await(wanted + " of the OSDs", () -> ceph("osd", "stat").contains(wanted));
  }

  private String ceph(String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.addAll(List.of("ceph", "-c", home.conf().toString(), "--connect-timeout", "30"));
    command.addAll(List.of(arguments));
    return Shell.run(command);
  }

  private void start(String name, String program, String... arguments) throws IOException {
    daemons.add(CephDaemon.start(home, name, program, arguments));
  }

  private void awaitGateway(int index) throws IOException {
    int port = gatewayPorts.get(index);
    await(gateway(index) + " on port " + port, () -> listens(port));
  }

  private void await(String what, Question question) throws IOException {
    long deadline = System.nanoTime() + DEADLINE.toNanos();
    while (!question.holds()) {
      for (CephDaemon daemon : daemons) {
        daemon.mustRun();
      }
      if (System.nanoTime() > deadline) {
        throw new IOException(
            "Ceph has no "
                + what
                + " after "
                + DEADLINE.toSeconds()
                + " s; its logs are in "
                + home.output("").getParent());
      }
      try {
        Thread.sleep(POLL_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted while waiting for " + what, e);
      }
    }
  }

  /** Whether somebody listens on a port of the loopback address. */
  static boolean listens(int port) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(LOOPBACK, port), CONNECT_MILLIS);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private static String gateway(int index) {
    return "client.rgw." + index;
  }

  /** Something to ask until it is so. */
  private interface Question {
    boolean holds() throws IOException;
  }
}
