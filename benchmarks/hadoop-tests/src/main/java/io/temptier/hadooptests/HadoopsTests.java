// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadooptests;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Turns Hadoop's tests of its allocator and its shuffle handler into tests of TempTier's.
 *
 * <p>They come from the test sources that Hadoop publishes. Each change is listed here with its
 * reason, and each must find its place in the source: a Hadoop version in which one does not stops
 * the build. A test that cannot hold for TempTier is disabled with the reason, and so shows as
 * skipped in the report.
 */
public final class HadoopsTests {
  private HadoopsTests() {}

  /**
   * A change to a source.
   *
   * @param pattern what is replaced, a regular expression over many lines
   * @param replacement what comes in its place, as in {@link Matcher#replaceAll(String)}
   */
  private record Change(Pattern pattern, String replacement) {
    static Change of(String pattern, String replacement) {
      return new Change(Pattern.compile(pattern, Pattern.DOTALL), replacement);
    }

    String in(String source, String file) {
      Matcher matcher = pattern.matcher(source);
      if (!matcher.find()) {
        throw new IllegalStateException(
            file
                + " has no "
                + pattern
                + ": this Hadoop version words its test in another way, so change the pattern");
      }
      return matcher.replaceAll(replacement);
    }
  }

  /**
   * A test that TempTier does not pass.
   *
   * @param method its name
   * @param reason why it cannot hold
   */
  private record Exclusion(String method, String reason) {
    Change change() {
      return Change.of(
          "public void " + method + "\\(",
          "@DISABLED@(\"" + reason + "\") public void " + method + "(");
    }
  }

  private static final String PACKAGE_OF_FS = "org/apache/hadoop/fs/";
  private static final String PACKAGE_OF_MAPRED = "org/apache/hadoop/mapred/";

  /** A busy machine is no failure. Both spellings, of JUnit 4 and of JUnit 5. */
  private static final Change PATIENCE =
      Change.of("(?<limit>(?:timeout =|@Timeout\\(value =) \\d+)", "${limit}00");

  private static final List<Change> OF_ALLOCATOR =
      List.of(
          PATIENCE,
          // MapReduce's defaults, which Hadoop's build does not have here, set the one it takes.
          Change.of("\"mapred\\.local\\.dir\"", "\"local.dirs.of.test\""),
          Change.of(
              "new LocalDirAllocator\\(", "new io.temptier.hadoop.allocator.AllocatorOverTiers("));

  private static final String NOT_IN_TURN =
      "wants stock's turn among dirs, and TempTier chooses among those of a tier by their room";

  private static final String OVERRIDES =
      "wants a dir that cannot be written, and whoever runs this build can write to any";

  private static final List<Exclusion> NOT_OF_ALLOCATOR =
      List.of(
          new Exclusion("testDirsNotExist", NOT_IN_TURN),
          new Exclusion("testRWBufferDirBecomesRO", NOT_IN_TURN),
          new Exclusion("testCreateManyFilesRandom", NOT_IN_TURN));

  /** For root they fail with stock, too. */
  private static final List<Exclusion> NOT_OF_ALLOCATOR_FOR_ROOT =
      List.of(
          new Exclusion("test0", OVERRIDES),
          new Exclusion("testROBufferDirAndRWBufferDir", OVERRIDES));

  private static final List<Change> OF_HANDLER =
      List.of(
          PATIENCE,
          Change.of(
              "class ShuffleHandlerMock extends ShuffleHandler \\{",
              "class ShuffleHandlerMock extends io.temptier.shuffle.OneDirShuffleHandler {"
                  + " ShuffleHandlerMock() { super(tempDir); }"),
          // Known in Hadoop's own package only, which TempTier's handler is not of.
          Change.of("shuffle\\.(?=(storeVersion|loadVersion)\\()", "((ShuffleHandler) shuffle)."),
          // It would hand in a look-up of its own, and so test no handler's.
          Change.of(
              "@Override\\s+protected ShuffleChannelHandlerContext createHandlerContext.*?\n"
                  + " {4}\\}",
              ""));

  private static final List<Exclusion> NOT_OF_HANDLER =
      List.of(
          new Exclusion(
              "testShuffleMetrics",
              "asks stock's metrics alone, with a constructor that only stock has"));

  /** Outputs lie where a NodeManager has them, not where Hadoop's own look-up in this test is. */
  private static final List<Change> OF_HANDLER_BASE =
      List.of(
          Change.of(
              "org\\.apache\\.hadoop\\.io\\.MapFile\\.(DATA|INDEX)_FILE_NAME",
              "io.temptier.shuffle.OneDirShuffleHandler.$1_FILE_NAME"),
          Change.of(
              "String\\.format\\(\"%s/%s/%s/%s\", tempDir, TEST_JOB_ID, user, attempt\\)",
              "String.format(\"%s/usercache/%s/appcache/%s/output/%s\", tempDir, user,"
                  + " TEST_JOB_ID.replace(\"job\", \"application\"), attempt)"));

  /**
   * Writes the tests.
   *
   * @param args the folder to write to
   */
  public static void main(String[] args) throws IOException {
    Path out = Path.of(args[0]);
    List<Exclusion> notOfAllocator = new ArrayList<>(NOT_OF_ALLOCATOR);
    if (writesEverywhere()) {
      notOfAllocator.addAll(NOT_OF_ALLOCATOR_FOR_ROOT);
    }
    write(out, PACKAGE_OF_FS + "TestLocalDirAllocator.java", OF_ALLOCATOR, notOfAllocator);
    write(out, PACKAGE_OF_MAPRED + "TestShuffleHandlerBase.java", OF_HANDLER_BASE, List.of());
    write(out, PACKAGE_OF_MAPRED + "TestShuffleHandler.java", OF_HANDLER, NOT_OF_HANDLER);
  }

  private static boolean writesEverywhere() throws IOException {
    Path dir = Files.createTempDirectory("read-only");
    try {
      Files.setPosixFilePermissions(dir, PosixFilePermissions.fromString("r-x------"));
      return Files.isWritable(dir);
    } finally {
      Files.delete(dir);
    }
  }

  private static void write(Path out, String file, List<Change> changes, List<Exclusion> excluded)
      throws IOException {
    String source;
    try (InputStream in = HadoopsTests.class.getResourceAsStream("/" + file)) {
      if (in == null) {
        throw new IllegalStateException("Hadoop's published test sources hold no " + file);
      }
      source = new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
    String disabled =
        source.contains("org.junit.jupiter")
            ? "@org.junit.jupiter.api.Disabled"
            : "@org.junit.Ignore";
    for (Change change : changes) {
      source = change.in(source, file);
    }
    for (Exclusion exclusion : excluded) {
      source = exclusion.change().in(source, file).replace("@DISABLED@", disabled);
    }
    Path written = out.resolve(file);
    Files.createDirectories(written.getParent());
    Files.writeString(written, source);
  }
}
