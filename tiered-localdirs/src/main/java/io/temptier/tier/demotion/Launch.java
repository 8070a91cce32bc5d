// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.demotion;

import io.temptier.tier.lang.Immutable;
import io.temptier.tier.os.FileStamp;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The Java of processes as users, which is the NodeManager's, with the few of its jars that they
 * need, of the version that this process runs: made before an upgrade, it outlives it.
 */
public final class Launch {
  private static final String READABLE_MODE = "rw-r--r--";

  private static final long PATIENCE_SECONDS = 10;

  /** Options of the JVM: it copies by system calls, and lives for seconds. */
  private static final List<String> OPTIONS =
      Immutable.listOf(
          "-Xmx32m", "-Xss512k", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData");

  private final Class<?> main;

  private final Map<Path, Jar> jars = new LinkedHashMap<>();

  private @Nullable Exception unknown;

  /** For a main class that begins with a {@link BatchProcess}, and classes of jars it needs. */
  public Launch(Class<?> main, List<Class<?>> needs) {
    this.main = main;
    try {
      add(main);
      for (Class<?> needed : needs) {
        add(needed);
      }
    } catch (URISyntaxException | IOException | NullPointerException e) {
      unknown = e;
    }
  }

  private void add(Class<?> type) throws URISyntaxException, IOException {
    Path origin =
        Paths.get(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toRealPath();
    if (!jars.containsKey(origin)) {
      jars.put(origin, new Jar(origin));
    }
  }

  /**
   * A command line.
   *
   * @param copies a folder that users can read from, for jars that were deleted meanwhile
   * @throws IOException when nobody can tell which jars it needs
   */
  List<String> command(Path copies, List<String> arguments) throws IOException {
    List<String> command = new ArrayList<>(OPTIONS);
    command.add(0, Paths.get(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(Immutable.listOf("-cp", classPath(copies), main.getName()));
    command.addAll(arguments);
    return command;
  }

  private String classPath(Path copies) throws IOException {
    if (unknown != null) {
      throw new IOException("cannot tell which jars " + main + " needs", unknown);
    }
    List<String> entries = new ArrayList<>();
    for (Jar jar : jars.values()) {
      entries.add(jar.forUsers(copies).toString());
    }
    return String.join(File.pathSeparator, entries);
  }

  /**
   * A jar, or a folder of classes, as this process runs it. The jar is held open: the upgrade of a
   * package deletes it while the NodeManager runs on, and one of a newer version may take its name.
   * Users then get a copy, whose bytes are those that this process opened.
   */
  private static final class Jar {
    private final Path path;
    private final Object key;
    private final @Nullable FileChannel bytes;

    /** Opens a path without links, which may later lead to another version, for good. */
    Jar(Path path) throws IOException {
      this.path = path;
      this.key = FileStamp.of(path).key();
      this.bytes = Files.isDirectory(path) ? null : FileChannel.open(path, StandardOpenOption.READ);
    }

    /**
     * Returns where users find it: itself, or a copy in a folder that only this process writes to.
     */
    Path forUsers(Path copies) throws IOException {
      FileChannel opened = bytes;
      if (opened == null
          || FileStamp.find(path).map(FileStamp::key).filter(key::equals).isPresent()) {
        return path;
      }
      // Jars of two folders may share a name.
      Path copy = copies.resolve(Integer.toHexString(path.hashCode()) + "-" + path.getFileName());
      if (!Files.exists(copy)) {
        copy(opened, copy);
      }
      return copy;
    }

    /** Whole or not at all. Batches are started by several threads. */
    private static void copy(FileChannel from, Path to) throws IOException {
      Path part = Files.createTempFile(to.getParent(), "jar", ".part");
      try {
        try (FileChannel copy = FileChannel.open(part, StandardOpenOption.WRITE)) {
          for (long position = 0; position < from.size(); ) {
            position += from.transferTo(position, from.size() - position, copy);
          }
        }
        // For everybody, whatever the umask.
        Files.setPosixFilePermissions(part, PosixFilePermissions.fromString(READABLE_MODE));
        Files.move(part, to, StandardCopyOption.ATOMIC_MOVE);
      } finally {
        Files.deleteIfExists(part);
      }
    }
  }

  /** Runs a short program; throws when it fails, or takes long. */
  public static void run(List<String> command) throws IOException {
    Process process = start(new ProcessBuilder(command));
    try {
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        throw new IOException(command + " takes more than " + PATIENCE_SECONDS + " s");
      }
      if (process.exitValue() != 0) {
        throw new IOException(command + " ended with " + process.exitValue());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted in " + command, e);
    } finally {
      process.destroy();
    }
  }

  /**
   * Starts a process that has nothing to read, and whose output nobody hears.
   *
   * @throws IOException also where no thread is to spare to wait for its end: as an error that
   *     nobody catches, that would halt the NodeManager
   */
  static Process start(ProcessBuilder builder) throws IOException {
    try {
      builder.redirectErrorStream(true).redirectOutput(new File("/dev/null"));
      Process process = builder.start();
      process.getOutputStream().close();
      return process;
    } catch (OutOfMemoryError e) {
      // So the JDK says that there may be no more threads.
      throw new IOException("no thread to spare: " + e.getMessage(), e);
    }
  }
}
