// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.cluster;

import io.temptier.lab.process.ParentWatch;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** One daemon's process, tethered to this JVM. Thread safe. */
public final class Daemon {
  private static final int TAIL_LINES = 15;

  private final String name;
  private final Process process;
  private final Path log;

  public Daemon(String name, ProcessBuilder builder, Path log) throws IOException {
    this.name = name;
    this.log = log;
    this.process = builder.redirectErrorStream(true).redirectOutput(log.toFile()).start();
  }

  /** Its name, such as {@code nodemanager-1}. */
  public String name() {
    return name;
  }

  /** What it writes to its log4j console, and its standard output. */
  public Path log() {
    return log;
  }

  /** Its process, whose descendants are its containers if it is a NodeManager. */
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
