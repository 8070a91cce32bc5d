// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion.asuser;

import io.temptier.tier.lang.Immutable;
import io.temptier.tier.os.Io;
import io.temptier.tier.os.Pid;
import java.io.Closeable;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One helper, from the NodeManager's side. It hears by a file of orders and speaks by a pipe that
 * the NodeManager reads when it likes. Nothing here waits for the helper without a deadline,
 * whatever the user does to it.
 *
 * <p>The pipe has a name: of one without, the JDK reads all that is left when the process ends, and
 * a user whose other process holds it could fill it for ever.
 *
 * <p>Reports are read by one thread at a time; the rest may be called by others meanwhile.
 */
public final class HelperSession implements Closeable {
  /** A helper without an order for so long ends. */
  public static final Duration LINGER = Duration.ofSeconds(5);

  /** One that said nothing for so long, and was at nothing, may be about to end by itself. */
  static final Duration FRESH = LINGER.minusSeconds(2);

  private static final long FIRST_LOOK_MILLIS = 2;

  /** A helper that flushes what it wrote says nothing for long. */
  private static final long LAST_LOOK_MILLIS = 20;

  /** What a helper gets of the NodeManager's environment. */
  private static final Set<String> ENVIRONMENT = Immutable.setOf("PATH", "LANG", "LC_ALL", "TZ");

  private final UserProcesses processes;
  private final ApplicationUser who;
  private final List<Path> files;
  private final FileChannel orders;
  private final RandomAccessFile pipe;
  private final HelperReport.Reader reports;
  private final Process process;
  private long lastOrder;
  private int cleaned;
  private boolean done = true;

  private HelperSession(
      UserProcesses processes,
      ApplicationUser who,
      List<Path> files,
      FileChannel orders,
      RandomAccessFile pipe,
      Process process)
      throws IOException {
    this.processes = processes;
    this.who = who;
    this.files = files;
    this.orders = orders;
    this.pipe = pipe;
    this.reports = new HelperReport.Reader(new FileInputStream(pipe.getFD()));
    this.process = process;
  }

  /**
   * Starts a helper and waits until it can take orders.
   *
   * @throws HelperException when it is not ready in time, or does not do what it should
   * @throws IOException when it cannot be started, for a reason of the node's
   */
  static HelperSession start(
      UserProcesses processes,
      Scratch scratch,
      ApplicationUser who,
      List<String> task,
      Launch java,
      Duration patience)
      throws IOException {
    HelperSession session = launch(processes, scratch, who, task, java);
    try {
      HelperReport report = session.next(patience);
      if (report.kind() != HelperReport.Kind.READY) {
        throw new HelperException("it began with " + report.kind());
      }
      session.cleaned = number(report.text());
      return session;
    } catch (IOException | RuntimeException e) {
      Optional<String> reason = session.reasonOfNode();
      try (HelperSession lost = session) {
        lost.kill();
      } catch (IOException | RuntimeException another) {
        e.addSuppressed(another);
      }
      if (reason.isPresent()) {
        throw new IOException(reason.get() + "; " + e.getMessage(), e);
      }
      throw e;
    }
  }

  private static int number(String text) throws HelperException {
    try {
      return Math.max(0, Integer.parseInt(text));
    } catch (NumberFormatException e) {
      throw new HelperException("it did not say what it removed", e);
    }
  }

  /**
   * Why it is not ready, where that is nothing its user can have brought about. What the process
   * says or ends with may be the user's doing, so neither is asked.
   */
  private Optional<String> reasonOfNode() {
    if (reports.greeted()) {
      return Optional.empty();
    }
    try {
      if (process.isAlive()
          && !Integer.valueOf(who.uid())
              .equals(Files.getAttribute(Paths.get("/proc/" + Pid.of(process)), "unix:uid"))) {
        return Optional.of("the container executor has not begun to run anything as " + who);
      }
    } catch (IOException e) {
      // It is gone meanwhile.
    }
    try {
      processes.check();
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of("nothing can be run as users: " + e.getMessage());
    }
  }

  private static HelperSession launch(
      UserProcesses processes, Scratch scratch, ApplicationUser who, List<String> task, Launch java)
      throws IOException {
    String name = UUID.randomUUID().toString();
    // What the container executor copies for its user; it has no secret in it.
    Path credentials = scratch.own().resolve(name);
    Path heard = scratch.orders().resolve(name);
    Path spoken = scratch.own().resolve(name + ".pipe");
    List<Path> files = Immutable.listOf(credentials, heard, spoken);
    FileChannel orders = null;
    RandomAccessFile pipe = null;
    boolean up = false;
    try {
      Io.writeString(credentials, "none\n");
      orders = FileChannel.open(heard, StandardOpenOption.CREATE_NEW, StandardOpenOption.APPEND);
      Launch.makeReadable(heard);
      Launch.makePipe(spoken);
      // Opened both ways, it waits for nobody at the other end.
      pipe = new RandomAccessFile(spoken.toFile(), "rw");
      List<String> program =
          java.command(scratch.jars(), heard, String.valueOf(credentials.getFileName()), task);
      ProcessBuilder builder =
          new ProcessBuilder(processes.command(who, scratch, credentials, program))
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(spoken.toFile()));
      builder.environment().keySet().retainAll(ENVIRONMENT);
      Process process = builder.start();
      process.getOutputStream().close();
      up = true;
      return new HelperSession(processes, who, files, orders, pipe, process);
    } finally {
      if (!up) {
        close(orders, pipe);
        delete(files);
      }
    }
  }

  public ApplicationUser who() {
    return who;
  }

  /** Whether its process runs, or seems to: a user may have stopped it. */
  boolean alive() {
    return process.isAlive();
  }

  /** The id of its process: that of the container executor that became it. */
  long pid() {
    return Pid.of(process);
  }

  /** How many leftovers it says to have removed at its start. */
  int cleaned() {
    return cleaned;
  }

  /** Has it move an output. */
  public void move(String attempt, int from, int to, long bytes) throws IOException {
    lastOrder++;
    done = false;
    write(orders, "move " + lastOrder + " " + attempt + " " + from + " " + to + " " + bytes);
  }

  /** Whether it has said how its last order ended. */
  boolean done() {
    return done;
  }

  /** Has it take back the move that it is at. */
  public void stop() throws IOException {
    write(orders, "stop " + lastOrder);
  }

  /** Tells it that the application is over: it takes back what it is at, and ends. */
  public void ended() throws IOException {
    write(orders, "ended");
  }

  /** Has it end when it is done with what it is at. */
  void quit() throws IOException {
    write(orders, "quit");
  }

  private static void write(FileChannel orders, String lines) throws IOException {
    orders.write(ByteBuffer.wrap((lines + "\n").getBytes(StandardCharsets.UTF_8)));
  }

  /**
   * Waits for what it says next of its last order; what it says of earlier ones is silence.
   *
   * @param patience how long
   * @throws HelperException when it says nothing for so long, is gone, or talks nonsense
   */
  public HelperReport next(Duration patience) throws HelperException {
    long deadline = System.nanoTime() + patience.toNanos();
    long look = FIRST_LOOK_MILLIS;
    while (true) {
      boolean alive = process.isAlive();
      Optional<HelperReport> report = reports.poll();
      if (report.isPresent() && report.get().order() >= lastOrder) {
        done = report.get().kind() != HelperReport.Kind.PART;
        return report.get();
      }
      if (!alive && !report.isPresent()) {
        throw new HelperException("it ended with " + process.exitValue() + reports.preamble());
      }
      if (System.nanoTime() - deadline > 0) {
        throw new HelperException(
            "it said nothing for " + patience.getSeconds() + " s" + reports.preamble());
      }
      try {
        Thread.sleep(look);
        look = Math.min(2 * look, LAST_LOOK_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new HelperException("demotion is being stopped", e);
      }
    }
  }

  /** Waits for its end. */
  boolean awaitEnd(Duration patience) {
    try {
      return process.waitFor(patience.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Ends it the hard way; what it made stays for the next helper to remove. */
  void kill() throws IOException {
    if (process.isAlive()) {
      processes.kill(who, pid());
    }
  }

  /** Stops listening: a helper that still says something takes back what it is at, and ends. */
  @Override
  public void close() throws IOException {
    try {
      quit();
    } finally {
      close(orders, pipe);
      delete(files);
    }
  }

  private static void delete(List<Path> files) throws IOException {
    for (Path file : files) {
      Files.deleteIfExists(file);
    }
  }

  private static void close(@Nullable Closeable... all) throws IOException {
    for (Closeable one : all) {
      if (one != null) {
        one.close();
      }
    }
  }
}
