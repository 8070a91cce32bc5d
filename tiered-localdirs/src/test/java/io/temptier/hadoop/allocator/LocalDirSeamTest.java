// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.allocator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.OtherUser;
import io.temptier.fixtures.Programs;
import io.temptier.fixtures.Texts;
import io.temptier.hadoop.NodeManagerBed;
import io.temptier.testing.SharedNode;
import io.temptier.tier.Layouts;
import io.temptier.tier.Reserve;
import io.temptier.tier.marker.TierSettings;
import java.io.DataInputStream;
import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.LocalDirAllocator;
import org.apache.hadoop.fs.LocalDirSeam;
import org.apache.hadoop.util.DiskValidatorFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** TempTier in a container's JVM, by a jar on its class path and nothing else. */
class LocalDirSeamTest {
  private static final String MAPREDUCE = "mapreduce.cluster.local.dir";
  private static final String APP_DIR = "usercache/ann/appcache/application_1_0001";
  private static final Path CLASSES = Path.of("target/classes").toAbsolutePath();

  /**
   * {@link SeamProcess} with some jars and folders in a class loader of its own, below the JVM's,
   * and asked before it.
   */
  static final class OtherLoader extends URLClassLoader {
    private OtherLoader(URL[] urls) {
      super(urls, OtherLoader.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      synchronized (getClassLoadingLock(name)) {
        Class<?> loaded = findLoadedClass(name);
        if (loaded == null
            && (name.startsWith("io.temptier.") || name.startsWith("org.apache.hadoop."))) {
          try {
            return findClass(name);
          } catch (ClassNotFoundException e) {
            return super.loadClass(name, resolve);
          }
        }
        return loaded == null ? super.loadClass(name, resolve) : loaded;
      }
    }

    public static void main(String[] args) throws Exception {
      List<URL> urls = new ArrayList<>();
      for (String entry : System.getProperty("test.loader").split(":", -1)) {
        urls.add(Path.of(entry).toUri().toURL());
      }
      try (OtherLoader loader = new OtherLoader(urls.toArray(URL[]::new))) {
        // FileSystem looks for services there.
        Thread.currentThread().setContextClassLoader(loader);
        loader
            .loadClass(SeamProcess.class.getName())
            .getMethod("main", String[].class)
            .invoke(null, (Object) args);
      }
    }
  }

  @TempDir Path temp;
  private Path fast;
  private Path slow;

  @BeforeEach
  void mark() throws IOException {
    fast = Files.createDirectories(temp.resolve("fast"));
    slow = Files.createDirectories(temp.resolve("slow"));
    Layouts.publish(fast, slow, Reserve.ofBytes(1), TierSettings.DEFAULT);
  }

  @ParameterizedTest
  @ValueSource(strings = {MAPREDUCE, "tez.runtime.framework.local.dirs", "fs.s3a.buffer.dir"})
  void aJarOnTheClassPathIsEnough(String key) throws Exception {
    String printed = run(List.of(), classPath(), key, dirs());
    Texts.has(
        printed,
        "PLACED " + fast.resolve(APP_DIR) + "/output/file.out true",
        "COUNTED temptier-nvme 1 1048576");
  }

  @Test
  void withoutTheJarItIsStock() throws Exception {
    assertStock(run(List.of(), withoutTheJar(), MAPREDUCE, dirs()));
  }

  @Test
  void withoutAMarkerItIsStockWithOneLine() throws Exception {
    Path bare = Files.createDirectories(temp.resolve("bare/" + APP_DIR));
    String printed = run(List.of(), classPath(), MAPREDUCE, bare.toString());
    Texts.has(printed, "PLACED " + bare);
    assertEquals(1, lines(printed, "left its marker"), printed);
  }

  @Test
  void outsideContainersItIsStockWithoutAWord() throws Exception {
    String printed = run(List.of(), classPath(), MAPREDUCE, slow.resolve("mine").toString());
    Texts.has(printed, "PLACED " + slow.resolve("mine"));
    assertEquals(0, lines(printed, "TempTier"), printed);
    Texts.lacks(printed, "COUNTED");
  }

  @Test
  void aJobMaySwitchItOff() throws Exception {
    assertStock(run(List.of(), classPath(), MAPREDUCE, slowDir(), "temptier.enabled", "false"));
  }

  /** Java 8 to 16 run Hadoop 3.4 as well. They refuse what was compiled for 17. */
  @Test
  void onAnOlderJavaItIsStockWithOneLine() throws Exception {
    Path older = temp.resolve("older");
    OtherUser.copy(CLASSES, older);
    Path core = older.resolve("io/temptier/hadoop/allocator/TieredLocalDirs.class");
    byte[] code = Files.readAllBytes(core);
    code[6] = 0;
    code[7] = 99; // a version that no Java of today knows
    // It may be a link to the one that others load.
    Files.delete(core);
    Files.write(core, code);
    String printed = run(List.of(), with(older), MAPREDUCE, slowDir());
    assertStock(printed);
    assertEquals(1, lines(printed, "TempTier is not in this JVM"), printed);
    Texts.has(printed, "UnsupportedClassVersionError");
  }

  /** What Hadoop itself loads must not be refused by any Java that runs it. */
  @Test
  void theHookIsByteCodeOfJava8() throws IOException {
    List<Path> hook = new ArrayList<>();
    for (String folder : List.of("io/temptier/hook", "org/apache/hadoop/fs")) {
      try (Stream<Path> files = Files.list(CLASSES.resolve(folder))) {
        hook.addAll(files.filter(file -> file.toString().endsWith(".class")).toList());
      }
    }
    assertTrue(hook.size() >= 4, hook.toString());
    for (Path file : hook) {
      try (DataInputStream in = new DataInputStream(Files.newInputStream(file))) {
        in.readInt();
        assertEquals(52, in.readInt(), file.toString());
      }
    }
    assertFalse(Files.exists(CLASSES.resolve("org/apache/hadoop/fs/LocalDirAllocator.class")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "io/temptier/hook/HookFileSystem.class",
        "io/temptier/hook/LateChooser.class",
        "org/apache/hadoop/fs/LocalDirSeam.class",
        "io/temptier/hadoop/allocator/TieredLocalDirs.class",
        "io/temptier/tier/placer/Placer.class",
        "io/temptier/hadoop/metrics/TaskCounters.class",
        "io/temptier/tier/marker/NodeMarker.class"
      })
  void withAClassMissingItIsStock(String missing) throws Exception {
    Path broken = temp.resolve("broken");
    OtherUser.copy(CLASSES, broken);
    Files.delete(broken.resolve(missing));
    assertStock(run(List.of(), with(broken), MAPREDUCE, slowDir()));
  }

  /** As with mapreduce.job.classloader and a job that brings TempTier's jar itself. */
  @Test
  void behindAnotherClassLoaderItIsStock() throws Exception {
    List<String> loader = List.of("-Dtest.loader=" + CLASSES, OtherLoader.class.getName());
    assertStock(run(loader, withoutTheJar(), MAPREDUCE, slowDir()));
  }

  /** Hadoop finds our service, which is of the other Hadoop, and passes over it. */
  @Test
  void whereAJobBringsItsOwnHadoopItIsStock() throws Exception {
    List<String> loader =
        List.of("-Dtest.loader=" + joined(withoutTheJar()), OtherLoader.class.getName());
    String printed = run(loader, classPath(), MAPREDUCE, slowDir());
    assertStock(printed);
    Texts.has(printed, "HookFileSystem not a subtype");
  }

  /** The first on the class path wins, class by class. */
  @Test
  void twoVersionsOnOnePathFailNothing() throws Exception {
    Path other = temp.resolve("other");
    OtherUser.copy(CLASSES, other);
    Files.delete(other.resolve("io/temptier/tier/placer/Placer.class"));
    String printed =
        run(List.of(), Stream.concat(Stream.of(other), classPath()), MAPREDUCE, dirs());
    Texts.has(printed, "COUNTED temptier-nvme 1 1048576");
    assertEquals(0, lines(printed, "TempTier"), printed);
  }

  @Test
  void whatWasThereComesBack() throws Exception {
    String key = "seam.test.dirs";
    Configuration conf = new Configuration(false);
    conf.set(key, slow.toString());
    LocalDirAllocator allocator = new LocalDirAllocator(key);
    assertFalse(allocator.getAllLocalPathsToRead("f", conf).iterator().hasNext());
    LocalDirSeam first = put(key, answering("/a"));
    LocalDirSeam second = put(key, answering("/b"));
    assertEquals("/b", allocator.getLocalPathForWrite("f", conf).toString());
    first.takeBack();
    assertEquals("/b", allocator.getLocalPathForWrite("f", conf).toString());
    second.takeBack();
    assertEquals(slow + "/f", allocator.getLocalPathForWrite("f", conf).toString());
    first = put(key, answering("/a"));
    put(key, answering("/b")).takeBack();
    assertEquals("/a", allocator.getLocalPathForWrite("f", conf).toString());
    first.takeBack();
    assertEquals(slow + "/f", allocator.getLocalPathForWrite("f", conf).toString());
  }

  @Test
  void aChooserThatThrowsLeavesItToStock() throws Exception {
    String key = "seam.broken.dirs";
    Configuration conf = new Configuration(false);
    conf.set(key, slow.toString());
    Files.createFile(slow.resolve("there"));
    LocalDirSeam seam =
        put(
            key,
            asked -> {
              throw new NoClassDefFoundError("made up: " + asked);
            });
    try {
      LocalDirAllocator allocator = new LocalDirAllocator(key);
      assertEquals(slow + "/f", allocator.getLocalPathForWrite("f", 1, conf).toString());
      assertEquals(slow + "/there", allocator.getLocalPathToRead("there", conf).toString());
      assertTrue(allocator.ifExists("there", conf));
      assertTrue(allocator.getAllLocalPathsToRead("there", conf).iterator().hasNext());
      assertTrue(allocator.createTmpFileForWrite("tmp", 1, conf).delete());
    } finally {
      seam.takeBack();
    }
  }

  /** Puts one there that answers what it is asked, by the name of the question. */
  private static LocalDirSeam put(String key, Function<String, Object> answers) throws Exception {
    LocalDirSeam.Chooser chooser = NodeManagerBed.proxy(LocalDirSeam.Chooser.class, answers);
    return LocalDirSeam.put(key, DiskValidatorFactory.getInstance("basic"), chooser);
  }

  /** Hadoop would leave out for good what it could not use when it looked first. */
  @Test
  void hadoopLooksAgainAtDirsThatItCouldNotUse() throws Exception {
    String key = "seam.later.dirs";
    Configuration conf = new Configuration(false);
    Path dir = slow.resolve("later");
    conf.set(key, dir.toString());
    Files.createFile(dir);
    LocalDirSeam seam = put(key, asked -> asked.equals("forStock") ? conf : null);
    try {
      LocalDirAllocator allocator = new LocalDirAllocator(key);
      assertThrows(IOException.class, () -> allocator.getLocalPathForWrite("f", 1, conf));
      Files.delete(dir);
      assertEquals(dir + "/f", allocator.getLocalPathForWrite("f", 1, conf).toString());
    } finally {
      seam.takeBack();
    }
  }

  private static Function<String, Object> answering(String file) {
    return asked -> new org.apache.hadoop.fs.Path(file);
  }

  /** The slow dir comes first, so that stock's first turn tells it from ours. */
  private String dirs() {
    return slowDir() + "," + fast.resolve(APP_DIR);
  }

  private String slowDir() {
    return slow.resolve(APP_DIR).toString();
  }

  private void assertStock(String printed) {
    Texts.has(printed, "PLACED ", " true\n");
    Texts.lacks(printed, "COUNTED");
  }

  private static long lines(String printed, String part) {
    return printed.lines().filter(line -> line.contains(part)).count();
  }

  private static Stream<Path> classPath() {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
        .map(Path::of)
        .map(Path::toAbsolutePath);
  }

  private static Stream<Path> withoutTheJar() {
    return classPath().filter(entry -> !entry.equals(CLASSES));
  }

  private static String joined(Stream<Path> classPath) {
    return classPath.map(Path::toString).collect(Collectors.joining(File.pathSeparator));
  }

  private static Stream<Path> with(Path classes) {
    return classPath().map(entry -> entry.equals(CLASSES) ? classes : entry);
  }

  private String run(List<String> jvm, Stream<Path> classPath, String... arguments)
      throws Exception {
    List<String> line = new ArrayList<>();
    line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    line.addAll(List.of("-Xmx128m", "-XX:TieredStopAtLevel=1", SharedNode.logsToOutput(temp)));
    line.addAll(List.of("-cp", joined(classPath)));
    line.addAll(jvm);
    if (jvm.isEmpty()) {
      line.add(SeamProcess.class.getName());
    }
    line.addAll(List.of(arguments));
    return Programs.run(line);
  }
}
