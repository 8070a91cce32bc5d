// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli;

import java.net.URI;
import java.net.URL;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Mixin with the option {@code --conf-dir DIR}, which has one default in all commands. */
public final class ConfDir {
  @Option(
      names = "--conf-dir",
      paramLabel = "DIR",
      description =
          "The folder with Hadoop's configuration files. Default: $$HADOOP_CONF_DIR, else the one"
              + " with core-site.xml on Hadoop's class path.")
  private @Nullable Path folder;

  /** The folder of the command line; empty when none was named, as by a variable that is unset. */
  public Optional<Path> given() {
    return Optional.ofNullable(folder).filter(dir -> !dir.toString().isEmpty());
  }

  /** The folder of the command line, or the default; empty when there is neither. */
  public Optional<Path> find() {
    if (given().isPresent()) {
      return given();
    }
    String variable = System.getenv("HADOOP_CONF_DIR");
    if (variable != null && !variable.isEmpty()) {
      return Optional.of(Paths.get(variable));
    }
    URL site = Thread.currentThread().getContextClassLoader().getResource("core-site.xml");
    return Optional.ofNullable(site)
        .filter(url -> "file".equals(url.getProtocol()))
        .map(url -> Paths.get(URI.create(url.toString())).getParent());
  }

  /** Finds the folder, or ends the command unless there is one that this user may read. */
  public Path need(Terminal terminal) {
    Optional<Path> found = find();
    if (!found.isPresent()) {
      throw terminal.wrongUse(
          "Name the folder of Hadoop's configuration with --conf-dir: HADOOP_CONF_DIR is not set,"
              + " and no core-site.xml is on the class path.");
    }
    terminal.readable("--conf-dir", found.get());
    return found.get();
  }
}
