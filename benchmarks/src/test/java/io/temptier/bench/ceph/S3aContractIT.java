/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.temptier.bench.ceph;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.temptier.bench.testbed.TestbedHome;
import io.temptier.s3a.profile.Committer;
import io.temptier.s3a.profile.HadoopVersion;
import io.temptier.s3a.profile.Profile;
import io.temptier.s3a.profile.ProfileRequest;
import io.temptier.s3a.profile.UploadBufferRequest;
import io.temptier.s3a.profile.Workload;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileRange;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathIsNotEmptyDirectoryException;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.util.VersionInfo;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What Hadoop's contract tests ask of a file system (create, open, seek, delete, rename, mkdirs,
 * vectored reads, committers), on a real gateway with each profile. Told anew, since the test jar
 * of hadoop-aws is not published.
 */
@ParameterizedClass
@EnumSource(Workload.class)
class S3aContractIT {
  private static final java.nio.file.Path WORK =
      java.nio.file.Path.of("target/ceph-contract-it").toAbsolutePath();
  private static final String BUCKET = "s3a://contract/";
  private static final int MIB = 1 << 20;
  private static final byte[] DATA = new byte[3 * MIB + 7];

  private static TestbedHome home;
  private static CephCluster ceph;
  private static S3Account owner;

  private final Workload workload;

  private FileSystem fs;
  private Path base;

  S3aContractIT(Workload workload) {
    this.workload = workload;
  }

  @BeforeAll
  static void start() throws IOException {
    CephPrograms.hindrance().ifPresent(why -> System.err.println("Skipped without Ceph: " + why));
    assumeTrue(CephPrograms.hindrance().isEmpty());
    new Random(1).nextBytes(DATA);
    home = TestbedHome.create(WORK);
    ceph = CephCluster.start(home.path(), new CephSpec(1, 1, 8L << 30), state -> {});
    owner = ceph.newAccount("owner");
    ceph.makeBucket(owner, "contract");
  }

  @AfterAll
  static void end() throws IOException {
    if (ceph != null) {
      ceph.close();
    }
    if (home != null) {
      home.close();
    }
  }

  @BeforeEach
  void open(TestInfo test) throws Exception {
    // Committers take it from the cache.
    fs = FileSystem.get(URI.create(BUCKET), conf());
    base = new Path(BUCKET + workload + "/" + test.getDisplayName().replaceAll("\\W", ""));
  }

  @AfterEach
  void close() throws IOException {
    fs.close();
  }

  private Configuration conf() throws Exception {
    Configuration conf = new Configuration();
    Profile.of(
            new ProfileRequest(
                workload,
                List.of(HadoopVersion.of(VersionInfo.getVersion()).orElseThrow()),
                Committer.MAGIC,
                ceph.gateways(),
                UploadBufferRequest.unknown()))
        .settings()
        .forEach(setting -> conf.set(setting.key(), setting.value()));
    conf.set("fs.s3a.access.key", owner.accessKey());
    conf.set("fs.s3a.secret.key", owner.secretKey());
    // So that small files are made of parts, and small folders listed in pages.
    conf.set("fs.s3a.multipart.size", "5M");
    conf.set("fs.s3a.multipart.threshold", "5M");
    conf.set("fs.s3a.paging.maximum", "5");
    return conf;
  }

  private Path file(String name, byte[] bytes) throws IOException {
    Path file = new Path(base, name);
    try (FSDataOutputStream out = fs.create(file, true)) {
      out.write(bytes);
    }
    return file;
  }

  private byte[] read(Path file) throws IOException {
    byte[] bytes = new byte[(int) fs.getFileStatus(file).getLen()];
    try (FSDataInputStream in = fs.open(file)) {
      in.readFully(bytes);
      assertEquals(-1, in.read());
    }
    return bytes;
  }

  private static byte[] part(long from, int length) {
    return Arrays.copyOfRange(DATA, (int) from, (int) from + length);
  }

  @Test
  void whatIsCreatedIsRead() throws IOException {
    byte[] parts = new byte[11 * MIB + 1];
    new Random(2).nextBytes(parts);
    assertArrayEquals(parts, read(file("of-parts", parts)));
    assertArrayEquals(DATA, read(file("small", DATA)));
    assertEquals(0, read(file("empty", new byte[0])).length);
    assertTrue(fs.getFileStatus(base).isDirectory());
  }

  @Test
  void aFileIsOverwrittenOnlyWhenAsked() throws IOException {
    Path file = file("file", part(0, 100));
    assertThrows(FileAlreadyExistsException.class, () -> fs.create(file, false).close());
    assertArrayEquals(part(0, 100), read(file));
    file("file", part(100, 50));
    assertArrayEquals(part(100, 50), read(file));
  }

  @Test
  void aFolderIsNotOverwritten() throws IOException {
    file("folder/child", part(0, 1));
    Path folder = new Path(base, "folder");
    assertThrows(FileAlreadyExistsException.class, () -> fs.create(folder, true).close());
    assertTrue(fs.exists(new Path(folder, "child")));
  }

  @Test
  void whatIsNotThereOrAFolderIsNotOpened() throws IOException {
    assertThrows(FileNotFoundException.class, () -> fs.open(new Path(base, "none")).read());
    fs.mkdirs(new Path(base, "folder"));
    assertThrows(FileNotFoundException.class, () -> fs.open(new Path(base, "folder")).read());
    FSDataInputStream closed = fs.open(file("file", part(0, 10)));
    closed.close();
    closed.close();
    assertThrows(IOException.class, closed::read);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"whole-file", "sequential", "random", "vector", "adaptive", "columnar", "parquet"})
  void everyPolicyReadsTheSame(String policy) throws Exception {
    Path file = file("file", DATA);
    FileStatus status = fs.getFileStatus(file);
    try (FSDataInputStream in =
        fs.openFile(file)
            .opt("fs.option.openfile.read.policy", policy)
            .opt("fs.option.openfile.length", Long.toString(status.getLen()))
            .build()
            .get(1, TimeUnit.MINUTES)) {
      byte[] bytes = new byte[DATA.length];
      in.readFully(bytes);
      assertArrayEquals(DATA, bytes);
    }
  }

  @Test
  void seeksGoAnywhereWithinTheFile() throws IOException {
    Random random = new Random(3);
    try (FSDataInputStream in = fs.open(file("file", DATA))) {
      for (int i = 0; i < 40; i++) {
        int length = random.nextInt(1, 200_000);
        int at = random.nextInt(DATA.length - length);
        byte[] bytes = new byte[length];
        if (i % 2 == 0) {
          in.seek(at);
          assertEquals(at, in.getPos());
          in.readFully(bytes);
          assertEquals(at + length, in.getPos());
        } else {
          long before = in.getPos();
          in.readFully(at, bytes);
          assertEquals(before, in.getPos());
        }
        assertArrayEquals(part(at, length), bytes, "at " + at);
      }
    }
  }

  @Test
  void seeksBeyondTheFileAreRefused() throws IOException {
    try (FSDataInputStream in = fs.open(file("file", part(0, 1000)))) {
      assertThrows(EOFException.class, () -> in.seek(-1));
      assertThrows(EOFException.class, () -> in.readFully(990, new byte[11]));
      assertEquals(-1, in.read(1000, new byte[1], 0, 1));
      in.seek(999);
      assertEquals(DATA[999] & 0xff, in.read());
      assertEquals(-1, in.read());
      in.seek(0);
      assertEquals(DATA[0] & 0xff, in.read());
    }
    try (FSDataInputStream in = fs.open(file("empty", new byte[0]))) {
      in.seek(0);
      assertEquals(-1, in.read());
    }
  }

  @Test
  void rangesAreReadTogether() throws Exception {
    try (FSDataInputStream in = fs.open(file("file", DATA))) {
      for (IntFunction<ByteBuffer> buffers :
          List.<IntFunction<ByteBuffer>>of(ByteBuffer::allocate, ByteBuffer::allocateDirect)) {
        // Next to each other, near, and far; not in their order.
        List<FileRange> ranges = new ArrayList<>();
        for (long at : new long[] {2 * MIB, 0, 1000, 5000, 300_000, DATA.length - 1000}) {
          ranges.add(FileRange.createFileRange(at, 1000));
        }
        in.readVectored(ranges, buffers);
        for (FileRange range : ranges) {
          ByteBuffer got = range.getData().get(1, TimeUnit.MINUTES);
          byte[] bytes = new byte[got.remaining()];
          got.get(bytes);
          assertArrayEquals(part(range.getOffset(), 1000), bytes, range::toString);
        }
      }
    }
  }

  @Test
  void rangesBeyondTheFileAreRefused() throws IOException {
    try (FSDataInputStream in = fs.open(file("file", part(0, 1000)))) {
      List<FileRange> ranges = List.of(FileRange.createFileRange(500, 501));
      assertThrows(
          EOFException.class,
          () -> {
            in.readVectored(ranges, ByteBuffer::allocate);
            try {
              ranges.get(0).getData().get(1, TimeUnit.MINUTES);
            } catch (java.util.concurrent.ExecutionException e) {
              throw e.getCause();
            }
          });
    }
  }

  @Test
  void deletesTakeWhatTheyAreToldTo() throws IOException {
    assertFalse(fs.delete(new Path(base, "none"), true));
    for (int i = 0; i < 12; i++) {
      file("folder/sub" + i % 2 + "/file" + i, part(i, 1));
    }
    Path folder = new Path(base, "folder");
    assertThrows(PathIsNotEmptyDirectoryException.class, () -> fs.delete(folder, false));
    assertTrue(fs.delete(new Path(folder, "sub0/file0"), false));
    assertEquals(11, files(folder).size());
    assertTrue(fs.delete(folder, true));
    assertFalse(fs.exists(folder));
    assertTrue(fs.exists(base), "its parent stays");
  }

  @Test
  void renamesMoveFilesAndFolders() throws IOException {
    Path file = file("file", DATA);
    Path moved = new Path(base, "moved");
    assertTrue(fs.rename(file, moved));
    assertFalse(fs.exists(file));
    assertArrayEquals(DATA, read(moved));
    for (int i = 0; i < 7; i++) {
      file("folder/file" + i, part(i, 2));
    }
    // S3A lets a folder take the place of an empty one.
    Path target = new Path(base, "target");
    fs.mkdirs(target);
    assertTrue(fs.rename(new Path(base, "folder"), target));
    assertEquals(7, files(target).size());
    assertArrayEquals(part(3, 2), read(new Path(target, "file3")));
    assertFalse(fs.exists(new Path(base, "folder")));
    assertTrue(fs.rename(moved, target));
    assertArrayEquals(DATA, read(new Path(target, "moved")));
  }

  @Test
  void renamesOverwriteNothingAndNeedTheirSource() throws IOException {
    Path one = file("one", part(0, 10));
    Path two = file("two", part(10, 10));
    assertFalse(renamed(one, two));
    assertArrayEquals(part(0, 10), read(one));
    assertArrayEquals(part(10, 10), read(two));
    assertFalse(renamed(new Path(base, "none"), new Path(base, "new")));
    assertFalse(fs.exists(new Path(base, "new")));
  }

  /** Both ways to say no are allowed. */
  private boolean renamed(Path from, Path to) throws IOException {
    try {
      return fs.rename(from, to);
    } catch (FileNotFoundException | FileAlreadyExistsException e) {
      return false;
    }
  }

  @Test
  void foldersAreMadeWithTheirParents() throws IOException {
    Path deep = new Path(base, "a/b/c");
    assertTrue(fs.mkdirs(deep));
    assertTrue(fs.mkdirs(deep), "again");
    assertTrue(fs.getFileStatus(deep).isDirectory());
    assertTrue(fs.getFileStatus(new Path(base, "a")).isDirectory());
    assertEquals(0, fs.listStatus(deep).length);
    Path file = file("file", part(0, 1));
    assertThrows(IOException.class, () -> fs.mkdirs(file));
    assertThrows(IOException.class, () -> fs.mkdirs(new Path(file, "below")));
    assertTrue(fs.getFileStatus(file).isFile());
  }

  @Test
  void listsAreWholeOverPages() throws IOException {
    List<String> expected = new ArrayList<>();
    for (int i = 10; i < 33; i++) {
      expected.add(file("list/file" + i, new byte[0]).getName());
    }
    List<String> listed = new ArrayList<>();
    for (FileStatus status : fs.listStatus(new Path(base, "list"))) {
      listed.add(status.getPath().getName());
    }
    assertEquals(expected, listed);
    assertEquals(expected.size(), files(base).size());
    assertThrows(FileNotFoundException.class, () -> fs.listStatus(new Path(base, "none")));
  }

  private List<Path> files(Path folder) throws IOException {
    List<Path> files = new ArrayList<>();
    RemoteIterator<LocatedFileStatus> all = fs.listFiles(folder, true);
    while (all.hasNext()) {
      files.add(all.next().getPath());
    }
    return files;
  }

  @ParameterizedTest
  @EnumSource(Committer.class)
  void onlyWhatTasksCommittedIsThereAndOnlyAfterTheJob(Committer committer) throws Exception {
    Configuration conf = new Configuration(fs.getConf());
    conf.set("fs.s3a.committer.name", committer.label());
    // Else the directory committer adds the job to the names.
    conf.set("fs.s3a.committer.staging.unique-filenames", "false");
    Path out = new Path(base, "out");
    CommittedJob job = new CommittedJob(conf, out);
    job.begin();
    job.task(0, part(0, 100), true);
    job.task(1, part(100, 6 * 100), true);
    job.task(2, part(0, 5), false);
    assertEquals(List.of(), parts(out), "before the job commits");
    job.commit();
    assertEquals(List.of("part-0", "part-1"), parts(out));
    assertArrayEquals(part(100, 600), read(new Path(out, "part-1")));
    assertTrue(read(new Path(out, "_SUCCESS")).length > 0, "the committer's own note");
    CommittedJob given = new CommittedJob(conf, new Path(base, "given-up"));
    given.begin();
    given.task(0, part(0, 100), true);
    given.abort();
    assertEquals(List.of(), parts(new Path(base, "given-up")));
  }

  private List<String> parts(Path folder) throws IOException {
    List<String> names = new ArrayList<>();
    if (fs.exists(folder)) {
      for (FileStatus status : fs.listStatus(folder)) {
        if (status.getPath().getName().startsWith("part-")) {
          names.add(status.getPath().getName());
        }
      }
    }
    return names;
  }
}
