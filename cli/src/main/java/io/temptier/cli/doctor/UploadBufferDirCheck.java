// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.doctor;

import io.temptier.tier.LocalDir;
import io.temptier.tier.LocalDirsParser;
import io.temptier.tier.Medium;
import io.temptier.tier.TierLayout;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.text.Finding;
import io.temptier.tier.text.Finding.Severity;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;

/**
 * Checks where S3A's output streams collect the blocks that they upload.
 *
 * <p>By default that is in the container's local dirs, where TempTier chooses the fastest tier with
 * room, and which are deleted with the container. A fixed dir takes the buffers out of the tiers:
 * they may fall on a slow disk, and nobody deletes what a killed task leaves there.
 */
public final class UploadBufferDirCheck {
  /** Property: dirs where blocks are buffered on disk. */
  public static final String BUFFER_DIR = "fs.s3a.buffer.dir";

  /** Property: whether blocks are buffered on disk or in memory. */
  public static final String BUFFER = "fs.s3a.fast.upload.buffer";

  /** Hadoop's default of {@link #BUFFER_DIR}. */
  public static final String DEFAULT_DIR = "${env.LOCAL_DIRS:-${hadoop.tmp.dir}}/s3a";

  private UploadBufferDirCheck() {}

  /**
   * Checks a configuration. Pure: looks at no file.
   *
   * @param conf what a job reads
   * @param layout the tiers of a node
   * @param mediumOf what a dir outside the tiers lies on
   * @return what there is to say; empty when S3A is not used or has its buffers in the right place
   */
  public static List<Finding> check(
      Configuration conf, TierLayout layout, Function<Path, Medium> mediumOf) {
    String raw = conf.getRaw(BUFFER_DIR);
    if (raw == null
        || raw.contains("${env.LOCAL_DIRS")
        || layout.tiers().isEmpty()
        || !usesS3a(conf)
        || buffersInMemory(conf)) {
      return Immutable.listOf();
    }
    return Arrays.stream(conf.getTrimmedStrings(BUFFER_DIR))
        .filter(dir -> !dir.isEmpty())
        .map(dir -> fixed(raw, dir, layout, mediumOf))
        .collect(Immutable.toList());
  }

  private static boolean usesS3a(Configuration conf) {
    return conf.get("fs.defaultFS", "").startsWith("s3a:")
        || conf.getPropsWithPrefix("fs.s3a.").keySet().stream()
            .anyMatch(key -> isSet(conf, "fs.s3a." + key));
  }

  private static boolean isSet(Configuration conf, String key) {
    String[] sources = conf.getPropertySources(key);
    return sources != null
        && sources.length > 0
        && !sources[sources.length - 1].equals("core-default.xml");
  }

  private static boolean buffersInMemory(Configuration conf) {
    String buffer = conf.getTrimmed(BUFFER, "disk").toLowerCase(Locale.ROOT);
    return buffer.equals("array") || buffer.equals("bytebuffer");
  }

  private static Finding fixed(
      String raw, String dir, TierLayout layout, Function<Path, Medium> mediumOf) {
    Severity severity = Severity.WARNING;
    String consequence;
    String litter = "what a killed task leaves there is never deleted.";
    Optional<Path> path = LocalDirsParser.pathOf(dir);
    Optional<LocalDir> root = path.flatMap(layout::dirOf);
    if (!path.isPresent()) {
      consequence = dir + " is not absolute: buffers lie in the working dir of each process.";
    } else if (root.isPresent()) {
      consequence =
          String.format(
              "%s is on %s, in the local dir %s but in no container's part of it: %s",
              dir, root.get().medium(), root.get().path(), litter);
    } else {
      Medium medium = mediumOf.apply(path.get());
      Medium fastest = layout.tiers().get(0).medium();
      boolean slow = medium.compareTo(fastest) > 0;
      severity = slow ? Severity.WARNING : Severity.INFO;
      String waits = ", while there is " + fastest + ": uploads wait for the slow medium, and ";
      consequence =
          dir + " is outside all local dirs, on " + medium + (slow ? waits : ": ") + litter;
    }
    String remedy =
        String.format(
            "Take the property out, or put into"
                + " core-site.xml:\n<property><name>%s</name><value>%s</value></property>",
            BUFFER_DIR, DEFAULT_DIR);
    return Finding.of(severity, BUFFER_DIR, raw, "default", consequence, remedy);
  }
}
