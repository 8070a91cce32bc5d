// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.cluster;

import io.temptier.lab.process.Await;
import io.temptier.lab.process.ParentWatch;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A daemon's process, tethered to this JVM. Thread safe. */
public final class Daemon {
  private static final int TAIL_LINES = 15;
  private static final Duration DEADLINE = Duration.ofMinutes(10);

  private final String name;
  private final Process process;
  private final Path log;

  public Daemon(String name, ProcessBuilder builder, Path log) throws IOException {
    this.name = name;
    this.log = log;
    this.process = builder.redirectErrorStream(true).redirectOutput(log.toFile()).start();
  }

  /** Returns its name, such as {@code nodemanager-1}. */
  public String name() {
    return name;
  }

  /** Returns the file of its log4j console, and its standard output. */
  public Path log() {
    return log;
  }

  /** Returns its process, whose descendants are its containers if it is a NodeManager. */
  public ProcessHandle handle() {
    return process.toHandle();
  }

  public boolean alive() {
    return process.isAlive();
  }

  /** Asks for an orderly exit; returns at once. */
  public void quit() {
    try {
      OutputStream stdin = process.getOutputStream();
      stdin.write(ParentWatch.QUIT);
      stdin.flush();
    } catch (IOException e) {
      process.destroy();
    }
  }

  /** Ends it without grace; waits until it is gone. */
  public void kill() {
    process.destroyForcibly().onExit().join();
  }

  /** Waits for its end, and ends it by force where that takes longer. */
  public void end(long waitMillis) {
    try {
      if (!process.waitFor(waitMillis, TimeUnit.MILLISECONDS)) {
        process.destroyForcibly().waitFor(waitMillis, TimeUnit.MILLISECONDS);
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Asks until the answer is yes.
   *
   * @param all the daemons that must not die meanwhile
   * @param ready throws while it cannot be asked yet
   * @throws PortTakenException when one of them died for a port that somebody else has
   * @throws IOException when one of them died for another cause, or it took too long; the message
   *     has the last log lines
   */
  public void await(List<Daemon> all, Await.Question ready) throws IOException {
    Await.until(
        () -> name + " to be ready" + logEnds(),
        DEADLINE,
        () -> {
          for (Daemon other : all) {
            if (!other.alive()) {
              throw other.died();
            }
          }
          try {
            return ready.holds();
          } catch (IOException e) {
            return false;
          }
        });
  }

  private IOException died() throws IOException {
    return logged("BindException")
        ? new PortTakenException(name + " found its port taken" + logEnds())
        : new IOException(name + " died at start" + logEnds());
  }

  private String logEnds() {
    return ". The log " + log + " ends:\n" + tail();
  }

  /** Somebody took a port between our look and the daemon's bind. */
  static final class PortTakenException extends IOException {
    private static final long serialVersionUID = 1L;

    PortTakenException(String message) {
      super(message);
    }
  }

  boolean logged(String text) throws IOException {
    return new String(Files.readAllBytes(log), StandardCharsets.UTF_8).contains(text);
  }

  public String tail() {
    try {
      List<String> lines =
          new String(Files.readAllBytes(log), StandardCharsets.UTF_8).lines().toList();
      return String.join("\n", lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size()));
    } catch (IOException e) {
      return "(its log " + log + " cannot be read: " + e.getMessage() + ")";
    }
  }
}
