// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.allocator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Texts;
import io.temptier.testing.LeakCheck;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.LocalDirAllocator;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.util.DiskChecker.DiskErrorException;
import org.apache.hadoop.util.VersionInfo;
import org.apache.hadoop.util.VersionUtil;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What callers may rely on, of stock's allocator and of ours alike. */
@ParameterizedClass
@EnumSource(AllocatorContractTest.Kind.class)
@ExtendWith(LeakCheck.class)
class AllocatorContractTest {
  /** An allocator by its key. */
  enum Kind {
    STOCK(LocalDirAllocator::new),
    TIERED(TieredLocalDirAllocator::new);

    final Function<String, LocalDirAllocator> factory;

    Kind(Function<String, LocalDirAllocator> factory) {
      this.factory = factory;
    }
  }

  /** Stock keeps its contexts for the life of the JVM, so each test has its own key. */
  private static final AtomicInteger KEYS = new AtomicInteger();

  private static final long MB = 1L << 20;
  private static final long TOO_LARGE = Long.MAX_VALUE / 2;

  @TempDir java.nio.file.Path temp;
  private final String key = "contract.test.dirs." + KEYS.incrementAndGet();
  private final Configuration conf = new Configuration(false);
  private java.nio.file.Path a;
  private java.nio.file.Path b;
  private final LocalDirAllocator allocator;

  AllocatorContractTest(Kind kind) {
    allocator = kind.factory.apply(key);
  }

  @BeforeEach
  void configure() throws IOException {
    a = Files.createDirectories(temp.resolve("a"));
    b = Files.createDirectories(temp.resolve("b"));
    Files.createDirectories(a.resolve(".temptier/claims"));
    conf.set(key, a + "," + b);
  }

  @Test
  void writesGoBelowADirWhoseParentIsMade() throws IOException {
    Set<Path> paths = new HashSet<>();
    paths.add(allocator.getLocalPathForWrite("x/y/f", conf));
    paths.add(allocator.getLocalPathForWrite("x/y/f", MB, conf));
    paths.add(allocator.getLocalPathForWrite("x/y/f", 0, conf));
    paths.add(allocator.getLocalPathForWrite("x/y/f", LocalDirAllocator.SIZE_UNKNOWN, conf, true));
    for (Path path : paths) {
      assertTrue(path.equals(path(a, "x/y/f")) || path.equals(path(b, "x/y/f")), path.toString());
      assertTrue(Files.isDirectory(local(path.getParent())));
      assertFalse(Files.exists(local(path)));
    }
  }

  @Test
  void aLeadingSlashIsOfTheDir() throws IOException {
    conf.set(key, a.toString());
    assertEquals(path(a, "x/f"), allocator.getLocalPathForWrite("/x/f", MB, conf));
    Files.createFile(a.resolve("x/f"));
    assertEquals(path(a, "x/f"), allocator.getLocalPathToRead("/x/f", conf));
    assertTrue(allocator.ifExists("/x/f", conf));
    assertEquals(List.of(path(a, "x/f")), all("/x/f"));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aDirThatIsAFileIsPassedOver(boolean checkWrite) throws IOException {
    java.nio.file.Path ofTask = java.nio.file.Path.of("usercache/ann/appcache/application_1_0001");
    java.nio.file.Path fine = Files.createDirectories(b.resolve(ofTask));
    Files.createDirectories(a.resolve(ofTask).getParent());
    conf.set(key, Files.createFile(a.resolve(ofTask)) + "," + fine);
    for (int i = 0; i < 10; i++) {
      assertEquals(path(fine, "f"), allocator.getLocalPathForWrite("f", MB, conf, checkWrite));
    }
  }

  @Test
  void aFileTooLargeForEveryDirIsADiskError() {
    String text =
        Texts.thrown(
            DiskErrorException.class,
            () -> allocator.getLocalPathForWrite("/x/f", TOO_LARGE, conf));
    // Older ones name neither the size nor a dir.
    boolean old = VersionUtil.compareVersions(VersionInfo.getVersion(), "3.3.6") < 0;
    String size = old ? "" : " with requested size " + TOO_LARGE;
    Texts.has(text, "Could not find any valid local directory for x/f" + size);
    // Hadoop 3.3.6 names no dir.
    assertTrue(
        old
            || text.contains("max capacity in any directory")
            || (text.contains(a.toString()) && text.contains(b.toString())),
        text);
    assertThrows(
        DiskErrorException.class, () -> allocator.createTmpFileForWrite("f", TOO_LARGE, conf));
  }

  @Test
  void anUnknownSizeWithAllDirsGoneIsADiskError() throws IOException {
    java.nio.file.Path file = Files.createFile(temp.resolve("file"));
    conf.set(key, file.resolve("below").toString());
    Texts.thrown(
        DiskErrorException.class,
        () -> allocator.getLocalPathForWrite("f", conf),
        "No space available in any of the local directories");
  }

  @Test
  void theDirsAreThoseOfTheConfigurationAtEachCall() throws IOException {
    for (java.nio.file.Path dir : List.of(a, b, a, temp.resolve("c"), b)) {
      conf.set(key, dir.toString());
      assertEquals(path(dir, "f"), allocator.getLocalPathForWrite("f", MB, conf));
      assertFalse(allocator.ifExists("f", conf));
    }
    Files.createFile(b.resolve("f"));
    assertEquals(path(b, "f"), allocator.getLocalPathToRead("f", conf));
    conf.set(key, a.toString());
    assertThrows(DiskErrorException.class, () -> allocator.getLocalPathToRead("f", conf));
  }

  @Test
  void aDirWhereThePathCannotBeMadeIsPassedOver() throws IOException {
    Files.createFile(a.resolve("x"));
    for (int i = 0; i < 4; i++) {
      assertEquals(path(b, "x/f"), allocator.getLocalPathForWrite("x/f", MB, conf));
    }
    List<Path> others = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      others.add(allocator.getLocalPathForWrite("y/f", MB, conf));
    }
    assertTrue(others.contains(path(a, "y/f")), "for other paths it is as good as before");
  }

  private List<Path> all(String path) throws IOException {
    List<Path> found = new ArrayList<>();
    allocator.getAllLocalPathsToRead(path, conf).forEach(found::add);
    return found;
  }

  private static Path path(java.nio.file.Path dir, String file) {
    return new Path(dir.toString(), file);
  }

  private static java.nio.file.Path local(Path path) {
    return java.nio.file.Path.of(path.toUri().getPath());
  }
}
