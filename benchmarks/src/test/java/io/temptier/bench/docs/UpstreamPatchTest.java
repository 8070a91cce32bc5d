// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The patch beside {@code docs/upstream.md} fits the release of Hadoop that it is made against. */
final class UpstreamPatchTest {
  private static final Path PATCH = Path.of("..", "docs/upstream/LocalDirAllocator.patch");

  /** Of that release, as the build leaves it. */
  private static final File SOURCES = new File("target/upstream/hadoop-common-sources.jar");

  /** A file that is there before the patch: its path, and what of it is the path in the jar. */
  private static final Pattern BEFORE =
      Pattern.compile("(?m)^--- a/(hadoop-common-project/hadoop-common/src/\\w+/\\w+/(.*))$");

  @Test
  void itFitsTheRelease(@TempDir Path checkout) throws IOException, InterruptedException {
    Matcher before = BEFORE.matcher(Files.readString(PATCH));
    int files = 0;
    try (JarFile jar = new JarFile(SOURCES)) {
      for (; before.find(); files++) {
        ZipEntry entry = jar.getEntry(before.group(2));
        Path file = checkout.resolve(before.group(1));
        Files.createDirectories(file.getParent());
        try (InputStream in = jar.getInputStream(entry)) {
          Files.copy(in, file);
        }
      }
    }
    assertTrue(files > 0, "it changes no file");
    Process git =
        new ProcessBuilder("git", "apply", "--check", PATCH.toAbsolutePath().toString())
            .directory(checkout.toFile())
            .redirectErrorStream(true)
            .start();
    String said = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, git.waitFor(), said);
  }
}
