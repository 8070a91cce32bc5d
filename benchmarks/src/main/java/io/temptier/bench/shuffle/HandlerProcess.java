// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.shuffle;

import io.temptier.bench.cluster.Daemon;
import io.temptier.bench.cluster.HadoopRuntime;
import io.temptier.bench.cluster.JavaCommand;
import io.temptier.bench.cluster.Log4jFile;
import io.temptier.bench.cluster.LoneClasses;
import io.temptier.bench.cluster.SiteFile;
import io.temptier.bench.cluster.Tether;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** A shuffle handler in a JVM of its own, which ends with this one. */
final class HandlerProcess implements AutoCloseable {
  /** What Hadoop gives a NodeManager by default. */
  private static final String HEAP = "-Xmx1000m";

  private static final Duration DEADLINE = Duration.ofMinutes(5);
  private static final long POLL_MILLIS = 50;
  private static final long END_MILLIS = 5_000;

  private final Daemon daemon;
  private final Path portFile;

  private HandlerProcess(Daemon daemon, Path portFile) {
    this.daemon = daemon;
    this.portFile = portFile;
  }

  /**
   * Starts one and waits until it serves.
   *
   * @param home an existing folder for its files
   * @param name of a folder in it, and for people
   * @param handlerClass a {@code ShuffleHandler}
   * @param conf its configuration
   * @param inGroup what the command line is to be wrapped in
   * @throws IOException when it dies or does not serve in time; the message has its last log lines
   */
  static HandlerProcess start(
      HadoopRuntime runtime,
      Path home,
      String name,
      String handlerClass,
      Map<String, String> conf,
      UnaryOperator<List<String>> inGroup)
      throws IOException, InterruptedException {
    Path folder = Files.createDirectories(home.resolve(name));
    Path classes = folder.resolve("classes");
    LoneClasses.copy(classes, Tether.class, ShuffleServer.class);
    Log4jFile.write(classes, "WARN");
    Path site = folder.resolve("site.xml");
    SiteFile.write(site, conf);
    Path portFile = folder.resolve("port");
    List<Path> classPath = new ArrayList<>(List.of(classes));
    classPath.addAll(runtime.dropIns());
    classPath.addAll(runtime.jars());
    List<String> command =
        JavaCommand.tethered(
            List.of(HEAP),
            classPath,
            ShuffleServer.class.getName(),
            site.toString(),
            handlerClass,
            portFile.toString());
    Daemon daemon =
        new Daemon(name, new ProcessBuilder(inGroup.apply(command)), folder.resolve("log"));
    HandlerProcess process = new HandlerProcess(daemon, portFile);
    boolean serves = false;
    try {
      process.await();
      serves = true;
      return process;
    } finally {
      if (!serves) {
        process.close();
      }
    }
  }

  /** Where it listens. */
  int port() throws IOException {
    return Integer.parseInt(Files.readString(portFile));
  }

  /** Begins the peak of {@link #peakMemoryBytes} anew, where the kernel lets us. */
  void forgetPeak() {
    try {
      Files.writeString(proc("clear_refs"), "5");
    } catch (IOException e) {
      // Then the peak is that since its start, which is no less than the one asked for.
      return;
    }
  }

  /** The most memory that was resident since {@link #forgetPeak}. */
  long peakMemoryBytes() throws IOException {
    for (String line : Files.readAllLines(proc("status"))) {
      if (line.startsWith("VmHWM:")) {
        return Long.parseLong(line.replaceAll("\\D", "")) << 10;
      }
    }
    throw new IOException(proc("status") + " has no VmHWM");
  }

  /** The most memory of direct buffers since its start. */
  long peakDirectBytes() throws IOException {
    Path file = Path.of(portFile + ShuffleServer.DIRECT);
    return Files.exists(file) ? Long.parseLong(Files.readString(file)) : 0;
  }

  /** CPU it used since its start, or zero where that is not known. */
  Duration cpu() {
    return daemon.handle().info().totalCpuDuration().orElse(Duration.ZERO);
  }

  /** Its name, for people. */
  String name() {
    return daemon.name();
  }

  /** The end of its log. */
  String logTail() {
    return daemon.tail();
  }

  @Override
  public void close() {
    daemon.quit();
    daemon.end(END_MILLIS);
  }

  private void await() throws IOException, InterruptedException {
    long deadline = System.nanoTime() + DEADLINE.toNanos();
    while (!Files.exists(portFile)) {
      if (!daemon.alive()) {
        throw new IOException("the handler " + name() + " died at its start:\n" + logTail());
      }
      if (System.nanoTime() - deadline > 0) {
        throw new IOException(
            "the handler "
                + name()
                + " does not serve after "
                + DEADLINE.toSeconds()
                + " s:\n"
                + logTail());
      }
      Thread.sleep(POLL_MILLIS);
    }
  }

  private Path proc(String file) {
    return Path.of("/proc", Long.toString(daemon.handle().pid()), file);
  }
}
