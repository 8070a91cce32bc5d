// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.cluster;

import io.temptier.lab.process.JavaCommand;
import io.temptier.lab.process.ParentWatch;
import io.temptier.lab.process.Shell;
import io.temptier.lab.testbed.Opened;
import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A JVM with a Hadoop that answers what it is asked, a line each, and ends with this one. Its main
 * class is given a configuration file and a port, which it hands to {@link ParentWatch#answer}. For
 * use by one thread.
 */
public final class AskedJvm implements Closeable {
  private static final Duration DEADLINE = Duration.ofMinutes(5);
  private static final int POLL_MILLIS = 200;
  private static final long END_MILLIS = 5_000;

  private final Daemon daemon;
  private final Socket socket;
  private final BufferedReader in;
  private final PrintStream out;

  private AskedJvm(Daemon daemon, Socket socket) throws IOException {
    this.daemon = daemon;
    this.socket = socket;
    this.in =
        new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
    this.out = new PrintStream(socket.getOutputStream(), true, StandardCharsets.UTF_8);
  }

  public record Program(
      String name,
      Path javaHome,
      List<String> options,
      List<Path> classPath,
      Class<?> main,
      UnaryOperator<List<String>> inGroup) {}

  /**
   * Starts one and waits until it can be asked.
   *
   * @param folder for its files, made if it is missing; the first on its class path
   * @param conf what it is to be set up with, which only this user may read
   * @throws IOException when it does not come up; the message has its last log lines
   */
  public static AskedJvm start(Program program, Path folder, Map<String, String> conf)
      throws IOException {
    SiteFile.writeLog4j(Files.createDirectories(folder), "WARN");
    Path site = folder.resolve("site.xml");
    SiteFile.writePrivate(site, conf);
    List<Path> classPath = new ArrayList<>(List.of(folder));
    classPath.addAll(program.classPath());
    classPath.add(HadoopRuntime.origin(ParentWatch.class));
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String port = Integer.toString(server.getLocalPort());
      List<String> command =
          JavaCommand.tethered(
              program.javaHome(),
              program.options(),
              classPath,
              Shell.line(program.main().getName(), site, port));
      ProcessBuilder builder = new ProcessBuilder(program.inGroup().apply(command));
      Daemon daemon = new Daemon(program.name(), builder, folder.resolve("log"));
      return Opened.make(
          opened -> {
            opened.push(() -> end(daemon));
            return new AskedJvm(daemon, accept(server, daemon));
          });
    }
  }

  private static Socket accept(ServerSocket server, Daemon daemon) throws IOException {
    server.setSoTimeout(POLL_MILLIS);
    List<Socket> accepted = new ArrayList<>();
    daemon.await(List.of(daemon), () -> accepted.add(server.accept()));
    accepted.get(0).setSoTimeout((int) DEADLINE.toMillis());
    return accepted.get(0);
  }

  /**
   * Asks, and waits for the answer.
   *
   * @throws IOException when it dies, or takes more than five minutes; the message has its last log
   *     lines
   */
  public String ask(String question) throws IOException {
    out.println(question);
    try {
      String answer = in.readLine();
      if (answer != null) {
        return answer;
      }
      throw failure(question, "it ended", null);
    } catch (SocketTimeoutException e) {
      throw failure(question, "no answer after " + DEADLINE.toMinutes() + " minutes", e);
    }
  }

  /** Says why a question was not answered as it should be, with the last log lines. */
  public IOException failure(String question, String why, @Nullable IOException cause) {
    String text = daemon.name() + ", " + question + ": " + why;
    return new IOException(text + "\nIts log ends:\n" + daemon.tail(), cause);
  }

  public Daemon daemon() {
    return daemon;
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

  private static void end(Daemon daemon) {
    daemon.quit();
    daemon.end(END_MILLIS);
  }
}
