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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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
public final class HelperSession implements AutoCloseable {
  /** A helper without an order for so long ends. */
  public static final Duration LINGER = Duration.ofSeconds(5);

  /** One that said nothing for so long, and was at nothing, may be about to end by itself. */
  static final Duration FRESH = LINGER.minusSeconds(2);

  private static final Logger LOG = LoggerFactory.getLogger(HelperSession.class);
  private static final Duration END_PATIENCE = Duration.ofSeconds(15);
  private static final long FIRST_LOOK_MILLIS = 4;

  /** A helper that flushes what it wrote says nothing for long. */
  private static final long LAST_LOOK_MILLIS = 20;

  /** What a helper gets of the NodeManager's environment. */
  private static final Set<String> ENVIRONMENT = Immutable.setOf("PATH", "LANG", "LC_ALL", "TZ");

  /** It is gone, late, or says nonsense. Its user may have brought that about. */
  public static final class HelperException extends IOException {
    private static final long serialVersionUID = 1;

    HelperException(String why) {
      super(why);
    }

    HelperException(String why, Throwable cause) {
      super(why, cause);
    }
  }

  private final UserProcesses processes;
  private final ApplicationUser who;
  private final List<Path> files;
  private final List<Closeable> opened = new ArrayList<>();
  private final FileChannel orders;
  private final HelperReport.Reader reports;
  private final Process process;
  private long lastOrder;
  private int cleaned;
  private boolean done = true;

  /** Starts its process, which is not ready yet. */
  private HelperSession(
      UserProcesses processes, Scratch scratch, ApplicationUser who, List<String> task, Launch java)
      throws IOException {
    this.processes = processes;
    this.who = who;
    String name = UUID.randomUUID().toString();
    // What the container executor copies for its user; it has no secret in it.
    Path credentials = scratch.own().resolve(name);
    Path heard = scratch.orders().resolve(name);
    Path spoken = scratch.own().resolve(name + ".pipe");
    files = Immutable.listOf(credentials, heard, spoken);
    boolean up = false;
    try {
      Io.writeString(credentials, "none\n");
      orders = FileChannel.open(heard, StandardOpenOption.CREATE_NEW, StandardOpenOption.APPEND);
      opened.add(orders);
      Launch.makeReadable(heard);
      Launch.makePipe(spoken);
      // Opened both ways, it waits for nobody at the other end.
      RandomAccessFile pipe = new RandomAccessFile(spoken.toFile(), "rw");
      opened.add(pipe);
      reports = new HelperReport.Reader(new FileInputStream(pipe.getFD()));
      List<String> program =
          java.command(scratch.jars(), heard, String.valueOf(credentials.getFileName()), task);
      ProcessBuilder builder =
          new ProcessBuilder(processes.command(who, scratch, credentials, program))
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(spoken.toFile()));
      builder.environment().keySet().retainAll(ENVIRONMENT);
      process = Launch.start(builder);
      up = true;
    } finally {
      if (!up) {
        closeAll();
      }
    }
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
    HelperSession session = new HelperSession(processes, scratch, who, task, java);
    try {
      HelperReport report = session.next(patience);
      if (report.kind() != HelperReport.Kind.READY) {
        throw new HelperException("it began with " + report.kind());
      }
      session.cleaned = number(report.text());
      return session;
    } catch (IOException | RuntimeException e) {
      Optional<String> reason = session.reasonOfNode();
      session.end(Orders.QUIT, true);
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

  ApplicationUser who() {
    return who;
  }

  /** Whether its process runs, or seems to: a user may have stopped it. */
  boolean alive() {
    return process.isAlive();
  }

  /** How many leftovers it says to have removed at its start. */
  int cleaned() {
    return cleaned;
  }

  /** Has it move an output. */
  void move(String attempt, int from, int to, long bytes) throws IOException {
    lastOrder++;
    done = false;
    tell("move " + lastOrder + " " + attempt + " " + from + " " + to + " " + bytes);
  }

  /** Whether it has said how its last order ended. */
  boolean done() {
    return done;
  }

  /** Has it take back the move that it is at. */
  void stop() throws IOException {
    tell("stop " + lastOrder);
  }

  /** Tells it that the application is over: it takes back what it is at, and ends. */
  void ended() throws IOException {
    tell(Orders.ENDED);
  }

  private void tell(String order) throws IOException {
    orders.write(ByteBuffer.wrap((order + "\n").getBytes(StandardCharsets.UTF_8)));
  }

  /**
   * Waits for what it says next of its last order; what it says of earlier ones is silence.
   *
   * @param patience how long
   * @throws HelperException when it says nothing for so long, is gone, or talks nonsense
   */
  HelperReport next(Duration patience) throws HelperException {
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

  /**
   * Has it end, and waits for that; kills it when it takes too long, or at once. What one that is
   * killed made stays for the next helper to remove.
   *
   * @param order that says so
   */
  void end(String order, boolean atOnce) {
    boolean told = tellIfPossible(order);
    try {
      if (atOnce || !told || !awaitEnd()) {
        if (process.isAlive()) {
          processes.kill(who, Pid.of(process));
        }
        awaitEnd();
      }
    } catch (IOException | RuntimeException e) {
      LOG.warn("The helper {} of {} cannot be ended", Pid.of(process), who, e);
    } finally {
      close();
    }
  }

  private boolean awaitEnd() {
    try {
      return process.waitFor(END_PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Stops listening: a helper that still says something takes back what it is at, and ends. */
  @Override
  public void close() {
    tellIfPossible(Orders.QUIT);
    closeAll();
  }

  /** False where the disk of orders is full, or takes nothing. */
  private boolean tellIfPossible(String order) {
    try {
      tell(order);
      return true;
    } catch (IOException e) {
      LOG.debug("The helper of {} cannot be told: {}", who, order, e);
      return false;
    }
  }

  private void closeAll() {
    try {
      for (Closeable one : opened) {
        one.close();
      }
      for (Path file : files) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      LOG.debug("{} stay until the NodeManager starts again", files, e);
    }
  }
}
