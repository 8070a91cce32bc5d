// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.s3a;

import io.temptier.bench.cluster.Daemon;
import io.temptier.bench.cluster.HadoopRuntime;
import io.temptier.bench.cluster.JavaCommand;
import io.temptier.bench.cluster.Log4jFile;
import io.temptier.bench.cluster.SiteFile;
import io.temptier.bench.s3a.client.Answer;
import io.temptier.bench.s3a.client.Request;
import io.temptier.bench.s3a.client.S3aClient;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.parquet.hadoop.ParquetReader;

/** The JVM of an arm, which ends with this one. For use by one thread. */
final class ArmProcess implements AutoCloseable {
  /** Half of what Hadoop gives a container by default. */
  private static final String HEAP = "-Xmx512m";

  private static final Duration START = Duration.ofMinutes(1);
  private static final Duration ANSWER = Duration.ofMinutes(5);
  private static final int POLL_MILLIS = 200;
  private static final long END_MILLIS = 5_000;

  private final Setup setup;
  private final Daemon daemon;
  private final Socket socket;
  private final BufferedReader in;
  private final PrintStream out;

  private ArmProcess(Setup setup, Daemon daemon, Socket socket) throws IOException {
    this.setup = setup;
    this.daemon = daemon;
    this.socket = socket;
    this.in =
        new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
    this.out = new PrintStream(socket.getOutputStream(), true, StandardCharsets.UTF_8);
  }

  /**
   * Starts one and waits until it can be asked.
   *
   * @param runtime its Hadoop
   * @param folder a new folder for its files
   * @param setup what it is to be set up with
   * @throws IOException when it does not come up; the message has its last log lines
   */
  static ArmProcess start(HadoopRuntime runtime, Path folder, Setup setup) throws IOException {
    Files.createDirectories(folder);
    Log4jFile.write(folder, "WARN");
    // Before the keys are in it.
    Path site =
        Files.createFile(
            folder.resolve("site.xml"),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    SiteFile.write(site, setup.conf());
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      List<String> command =
          JavaCommand.tethered(
              List.of(HEAP, "-Djava.io.tmpdir=" + folder),
              classPath(runtime, folder),
              S3aClient.class.getName(),
              site.toString(),
              Integer.toString(server.getLocalPort()));
      Daemon daemon = new Daemon(setup.name(), new ProcessBuilder(command), folder.resolve("log"));
      boolean up = false;
      try {
        ArmProcess process = new ArmProcess(setup, daemon, accept(server, daemon));
        up = true;
        return process;
      } finally {
        if (!up) {
          end(daemon);
        }
      }
    }
  }

  /** The arm's name. */
  String name() {
    return setup.name();
  }

  /**
   * Has it do something, and waits.
   *
   * @throws IOException when it fails, dies, or takes more than five minutes
   */
  Answer ask(Request request) throws IOException {
    out.println(request.line());
    String line;
    try {
      line = in.readLine();
    } catch (SocketTimeoutException e) {
      throw failure(request, "no answer after " + ANSWER.toMinutes() + " minutes", e);
    }
    Answer answer = line == null ? null : Answer.parse(line);
    if (answer == null || !answer.failure().isEmpty()) {
      throw failure(request, answer == null ? "it ended" : answer.failure(), null);
    }
    return answer;
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      // It ends all the same, below.
    } finally {
      end(daemon);
    }
  }

  private IOException failure(
      Request request, String why, @org.jspecify.annotations.Nullable IOException cause) {
    return new IOException(
        name() + ", " + request.work() + ": " + why + "\nIts log ends:\n" + daemon.tail(), cause);
  }

  private static Socket accept(ServerSocket server, Daemon daemon) throws IOException {
    server.setSoTimeout(POLL_MILLIS);
    long deadline = System.nanoTime() + START.toNanos();
    while (true) {
      try {
        Socket socket = server.accept();
        socket.setSoTimeout((int) ANSWER.toMillis());
        return socket;
      } catch (SocketTimeoutException e) {
        if (!daemon.alive() || System.nanoTime() - deadline > 0) {
          throw new IOException(daemon.name() + " does not come up:\n" + daemon.tail(), e);
        }
      }
    }
  }

  private static void end(Daemon daemon) {
    daemon.quit();
    daemon.end(END_MILLIS);
  }

  /** Hadoop's jars first, so that nothing of ours or Parquet's comes before them. */
  private static List<Path> classPath(HadoopRuntime runtime, Path folder) throws IOException {
    List<Path> parts = new ArrayList<>();
    parts.add(folder);
    parts.addAll(runtime.jars());
    parts.add(origin(S3aClient.class));
    parts.add(origin(ParquetReader.class));
    return parts;
  }

  private static Path origin(Class<?> one) throws IOException {
    try {
      return Path.of(one.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IOException("cannot tell where " + one + " lies", e);
    }
  }
}
