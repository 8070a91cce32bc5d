// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.NodeTiers;
import io.temptier.tier.Reserve;
import io.temptier.tier.TierLayout;
import io.temptier.tier.TierSettings;
import io.temptier.tier.marker.NodeMarker;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.s3a.BlockFileSeam;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Hadoop's own S3A, writing through the tiers of a node to a store on loopback. */
class TieredS3AFileSystemTest {
  private static final String APPLICATION = "usercache/u/appcache/application_1_0001";
  private static final long MIB = 1L << 20;

  private final Path fast;
  private final Path slow;
  private final AcceptingStore store = new AcceptingStore();
  private final Configuration conf = new Configuration();

  TieredS3AFileSystemTest(@TempDir Path folder) throws IOException {
    fast = folder.toRealPath().resolve("nvme0");
    slow = folder.toRealPath().resolve("hdd0");
  }

  @BeforeEach
  void publishTiers() throws IOException {
    // Room for one block of 64 MiB on the fast tier, and not for two.
    NodeTiers tiers =
        new NodeTiers(
            TierLayout.of(
                List.of(
                    new LocalDir(fast, Medium.NVME, 100 * MIB, "test"),
                    new LocalDir(slow, Medium.DISK, LocalDir.NO_CAP, "test")),
                List.of(Medium.values()),
                medium -> Reserve.ofBytes(MIB)),
            TierSettings.DEFAULT);
    for (Path root : List.of(fast, slow)) {
      Files.createDirectories(root.resolve(APPLICATION));
      NodeMarker.write(root, tiers);
      Path claims = NodeMarker.claims(root);
      Files.setAttribute(Files.createDirectory(claims), "unix:mode", 01777);
    }
    // Slow first, so that the order of the list cannot be what decides.
    conf.set(
        UploadBufferDirCheck.BUFFER_DIR,
        slow.resolve(APPLICATION) + "," + fast.resolve(APPLICATION));
    conf.set("fs.s3a.impl", TieredS3AFileSystem.class.getName());
    conf.set("fs.s3a.endpoint", store.endpoint());
    conf.set("fs.s3a.endpoint.region", "us-east-1");
    conf.setBoolean("fs.s3a.path.style.access", true);
    conf.set("fs.s3a.s3.signing-algorithm", "AWS4UnsignedPayloadSignerType");
    conf.set("fs.s3a.access.key", "test");
    conf.set("fs.s3a.secret.key", "test");
    conf.set("fs.s3a.attempts.maximum", "1");
    conf.set("fs.s3a.retry.limit", "1");
  }

  @AfterEach
  void stop() {
    store.close();
  }

  private FileSystem open() throws IOException {
    return FileSystem.newInstance(URI.create("s3a://bucket/"), conf);
  }

  private static FSDataOutputStream create(FileSystem fs, String name) throws IOException {
    return fs.create(new org.apache.hadoop.fs.Path("s3a://bucket/" + name), true);
  }

  private static List<Path> blocks(Path root) throws IOException {
    try (Stream<Path> files = Files.list(root.resolve(APPLICATION))) {
      return files
          .filter(file -> String.valueOf(file.getFileName()).startsWith("s3ablock"))
          .toList();
    }
  }

  /** The thread of the dir releases what was given up with a file. */
  private static void assertNothingClaimed(Path root) throws IOException {
    long deadline = System.nanoTime() + java.time.Duration.ofMinutes(2).toNanos();
    while (claimed(root) > 0 && System.nanoTime() < deadline) {
      java.util.concurrent.locks.LockSupport.parkNanos(1_000_000);
    }
    assertEquals(0, claimed(root));
  }

  private static long claimed(Path root) throws IOException {
    Path claims = NodeMarker.claims(root);
    long sum = 0;
    try (Stream<Path> files = Files.list(claims)) {
      for (Path file : files.toList()) {
        String name = String.valueOf(file.getFileName());
        sum += Long.parseLong(name.substring(0, name.indexOf('-')));
      }
    }
    return sum;
  }

  @Test
  void blocksLieOnTheFastTierAndSpillToTheNext() throws IOException {
    try (FileSystem fs = open()) {
      assertInstanceOf(TieredS3AFileSystem.class, fs);
      try (FSDataOutputStream first = create(fs, "first")) {
        first.write(new byte[1000]);
        assertEquals(1, blocks(fast).size());
        assertEquals(0, blocks(slow).size());
        assertEquals(64 * MIB, claimed(fast), "the largest a block can get");
        try (FSDataOutputStream second = create(fs, "second")) {
          second.write(new byte[2000]);
          assertEquals(1, blocks(fast).size());
          assertEquals(1, blocks(slow).size());
          assertEquals(64 * MIB, claimed(slow));
        }
      }
      assertEquals(List.of(), blocks(fast));
      assertEquals(List.of(), blocks(slow));
      assertNothingClaimed(slow);
    }
    assertTrue(
        store.uploads().keySet().containsAll(List.of("/bucket/first", "/bucket/second")),
        () -> store.uploads().toString());
  }

  @Test
  void onAnyDoubtBlocksLieWhereHadoopPutsThem(@TempDir Path elsewhere) throws IOException {
    // A dir that is in no tier: TempTier leaves the whole list to Hadoop.
    conf.set(UploadBufferDirCheck.BUFFER_DIR, fast.resolve(APPLICATION) + "," + elsewhere);
    try (FileSystem fs = open();
        FSDataOutputStream first = create(fs, "first");
        FSDataOutputStream second = create(fs, "second")) {
      first.write(1);
      second.write(1);
      try (Stream<Path> files = Files.list(elsewhere)) {
        assertEquals(1, files.count(), "Hadoop takes the dirs in turn");
      }
      assertEquals(1, blocks(fast).size());
      assertNothingClaimed(fast);
    }
    assertEquals(List.of(), blocks(fast));
    assertEquals(2, store.uploads().size(), () -> store.uploads().toString());
  }

  @Test
  void buffersInMemoryHaveNoFiles() throws IOException {
    conf.set(UploadBufferDirCheck.BUFFER, "bytebuffer");
    try (FileSystem fs = open();
        FSDataOutputStream only = create(fs, "only")) {
      only.write(1);
      assertEquals(List.of(), blocks(fast));
      assertEquals(List.of(), blocks(slow));
    }
    assertTrue(store.uploads().containsKey("/bucket/only"), () -> store.uploads().toString());
  }

  @Test
  void anEmptyKeyMeansTheTmpDirAsInHadoop() throws IOException {
    conf.set(UploadBufferDirCheck.BUFFER_DIR, "");
    conf.set("hadoop.tmp.dir", fast.resolve(APPLICATION).toString());
    try (FileSystem fs = open();
        FSDataOutputStream only = create(fs, "only")) {
      only.write(1);
      assertEquals(1, blocks(fast).size());
    }
  }

  /** As in an application whose own class loader holds TempTier, and Hadoop's another. */
  @Test
  void fromAnotherClassLoaderThanHadoopsItIsStock() throws IOException {
    ApartLoader apart = new ApartLoader();
    conf.setClassLoader(apart);
    try (FileSystem fs = open()) {
      assertSame(apart, fs.getClass().getClassLoader());
      try (FSDataOutputStream first = create(fs, "first");
          FSDataOutputStream second = create(fs, "second")) {
        first.write(1);
        second.write(1);
        assertEquals(1, blocks(fast).size(), "Hadoop takes the dirs in turn");
        assertEquals(1, blocks(slow).size());
        assertNothingClaimed(fast);
      }
    }
    assertEquals(2, store.uploads().size(), () -> store.uploads().toString());
  }

  @Test
  void saysWhyHadoopDoesNotAskIt() throws ReflectiveOperationException {
    assertEquals(Optional.empty(), BlockFileSeam.missing());
    Class<?> apart = new ApartLoader().loadClass(BlockFileSeam.class.getName());
    Method missing = apart.getMethod("missing");
    String why = String.valueOf(missing.invoke(null));
    assertTrue(why.contains("different class loaders"), why);
  }

  /** Holds copies of the two classes under test. */
  private static final class ApartLoader extends ClassLoader {
    ApartLoader() {
      super(TieredS3AFileSystemTest.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (!name.startsWith(TieredS3AFileSystem.class.getName() + "$")
          && !name.equals(TieredS3AFileSystem.class.getName())
          && !name.equals(BlockFileSeam.class.getName())) {
        return super.loadClass(name, resolve);
      }
      Class<?> loaded = findLoadedClass(name);
      return loaded == null ? define(name) : loaded;
    }

    private Class<?> define(String name) throws ClassNotFoundException {
      try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
        byte[] bytes = Objects.requireNonNull(in, name).readAllBytes();
        return defineClass(name, bytes, 0, bytes.length);
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }
  }
}
