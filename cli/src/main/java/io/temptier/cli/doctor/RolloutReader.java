// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.doctor;

import io.temptier.cli.CommandFailure;
import io.temptier.hadoop.conf.TierConfig;
import io.temptier.tier.kernel.KernelClassifier;
import io.temptier.tier.text.Finding;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.xml.stream.XMLStreamException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.util.ConfigUtil;
import org.jspecify.annotations.Nullable;

/** Reads the files of a folder as the daemons and the tasks will. */
public final class RolloutReader {
  private final Path confDir;
  private final KernelClassifier kernel = new KernelClassifier();
  private final List<LocatedProperties> files = new ArrayList<>();
  private final List<Finding> broken = new ArrayList<>();

  public RolloutReader(Path confDir) {
    // Absolute, since Hadoop takes the parent of a file for the base of its includes.
    this.confDir = confDir.toAbsolutePath().normalize();
  }

  /** What keeps the files from being read; filled by {@link #read}. */
  public List<Finding> broken() {
    return broken;
  }

  /** The files that could be read; filled by {@link #read}. */
  public List<LocatedProperties> files() {
    return files;
  }

  /** Whether the folder has any of the files. */
  public boolean anyFile() {
    return Rollout.SITE_FILES.stream().anyMatch(name -> Files.exists(confDir.resolve(name)));
  }

  /** Reads, or ends the command when a file is broken. */
  public Rollout readOrFail() {
    return read()
        .orElseThrow(
            () ->
                new CommandFailure(
                    String.format(
                        "The files in %s cannot be read. `temptier doctor --conf-dir %s` says why.",
                        confDir, confDir)));
  }

  /** Reads; empty when a file is broken, which {@link #broken} tells of. */
  public Optional<Rollout> read() {
    // Names that Hadoop gave up are mapped to the new ones from here on.
    ConfigUtil.loadResources();
    for (String name : Rollout.SITE_FILES) {
      Path path = confDir.resolve(name);
      if (Files.exists(path)) {
        readFile(path);
      }
    }
    if (!broken.isEmpty()) {
      return Optional.empty();
    }
    Configuration node = load("core", "yarn");
    Configuration job = load("core", "mapred", "tez", "yarn");
    // Whether this machine can be the node; if not, its kernel has nothing to say.
    boolean isHere = TierConfig.localDirs(node).stream().anyMatch(Files::isDirectory);
    TierConfig.Resolution tiers =
        isHere ? TierConfig.resolve(node, kernel) : TierConfig.resolveElsewhere(node);
    EnvScripts scripts = EnvScripts.read(confDir);
    return Optional.of(Rollout.of(confDir, isHere, files, node, job, scripts, kernel, tiers));
  }

  private void readFile(Path path) {
    try {
      if (!Files.isRegularFile(path)) {
        // A pipe would not answer.
        throw new IOException("no regular file");
      }
      files.add(LocatedProperties.read(path));
      // Hadoop's own parser follows includes.
      Configuration alone = new Configuration(false);
      alone.addResource(hadoopPath(path));
      int unused = alone.size();
    } catch (IOException | XMLStreamException | RuntimeException e) {
      // Hadoop wraps what its parser says.
      Throwable cause = e instanceof RuntimeException && e.getCause() != null ? e.getCause() : e;
      broken.add(
          cause instanceof XMLStreamException
              ? malformed(path, (XMLStreamException) cause)
              : unreadable(path, cause));
    }
  }

  private Configuration load(String... kinds) {
    Configuration conf = new Configuration(false);
    for (String kind : kinds) {
      conf.addResource(kind + "-default.xml");
      for (LocatedProperties file : files) {
        if (file.name().equals(kind + "-site.xml")) {
          conf.addResource(hadoopPath(file.path()));
        }
      }
    }
    return conf;
  }

  private static org.apache.hadoop.fs.Path hadoopPath(Path path) {
    return new org.apache.hadoop.fs.Path(path.toUri().getPath());
  }

  private static Finding malformed(Path path, XMLStreamException e) {
    javax.xml.stream.@Nullable Location location = e.getLocation();
    String where =
        location == null
            ? ""
            : "line " + location.getLineNumber() + ", column " + location.getColumnNumber();
    String what = String.valueOf(e.getMessage()).replaceFirst("(?s).*Message: ", "").trim();
    return Troubles.of("file.malformed", name(path), where, included(path, location), what);
  }

  /** The file that is broken may be one that {@code path} includes. */
  private static String included(Path path, javax.xml.stream.@Nullable Location location) {
    String system = location == null ? null : location.getSystemId();
    return system == null || system.endsWith(path.toString())
        ? path.toString()
        : system + ", included by " + path;
  }

  private static Finding unreadable(Path path, Throwable e) {
    String why =
        e instanceof AccessDeniedException
            ? "user " + System.getProperty("user.name") + " may not read it"
            : String.valueOf(e.getMessage());
    return Troubles.of("file.unreadable", name(path), why, path.toString());
  }

  private static String name(Path path) {
    return String.valueOf(path.getFileName());
  }
}
