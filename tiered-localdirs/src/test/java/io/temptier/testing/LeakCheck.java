// SPDX-License-Identifier: Apache-2.0
package io.temptier.testing;

import static org.junit.jupiter.api.Assertions.assertNull;

import io.temptier.fixtures.Eventually;
import io.temptier.fixtures.Trees;
import io.temptier.hadoop.allocator.TieredLocalDirs;
import io.temptier.tier.marker.NodeMarker;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDir;

/**
 * Ends allocators after every test, and checks what must hold after its own clean-up, whatever it
 * tested: this process has no claim, no thread and no open file left over, and no file lies in two
 * local dirs. Looks below the test's {@code @TempDir} fields.
 */
public final class LeakCheck implements AfterEachCallback {
  @Override
  public void afterEach(ExtensionContext context) throws Exception {
    TieredLocalDirs.closeAll();
    for (Path temp : tempDirs(context)) {
      List<Path> roots = roots(temp);
      assertNothing("claims left over", () -> claims(roots));
      assertNothing("open files left over", () -> openFiles(temp));
      assertNothing("threads left over", LeakCheck::threads);
      assertNoFileIsOwnedTwice(roots);
    }
  }

  private static List<Path> tempDirs(ExtensionContext context) throws IllegalAccessException {
    List<Path> found = new ArrayList<>();
    Object test = context.getRequiredTestInstance();
    for (Class<?> type = test.getClass(); type != null; type = type.getSuperclass()) {
      for (Field field : type.getDeclaredFields()) {
        if (field.isAnnotationPresent(TempDir.class)) {
          field.setAccessible(true);
          found.add((Path) field.get(test));
        }
      }
    }
    return found;
  }

  private static List<Path> roots(Path temp) throws IOException {
    return Trees.below(temp).stream()
        .filter(path -> path.endsWith(NodeMarker.DIR))
        .map(Path::getParent)
        .toList();
  }

  /** Of this process; what a test planted in the names of others stays its own business. */
  private static List<String> claims(List<Path> roots) {
    String ownName = ProcessHandle.current().pid() + "(-[0-9]+){2}-[^-]+-[0-9a-z]+";
    List<String> found = new ArrayList<>();
    for (Path root : roots) {
      Path folder = NodeMarker.claims(root);
      String[] names = folder.toFile().list();
      for (String name : names == null ? new String[0] : names) {
        if (name.matches(ownName)) {
          found.add(folder + "/" + name);
        }
      }
    }
    return found;
  }

  private static List<String> openFiles(Path temp) {
    List<String> found = new ArrayList<>();
    String[] open = Path.of("/proc/self/fd").toFile().list();
    for (String fd : open == null ? new String[0] : open) {
      try {
        Path target = Files.readSymbolicLink(Path.of("/proc/self/fd", fd));
        if (target.startsWith(temp.toRealPath())) {
          found.add(target.toString());
        }
      } catch (IOException e) {
        // Closed meanwhile.
      }
    }
    return found;
  }

  private static List<String> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("temptier-claims"))
        .toList();
  }

  private static void assertNothing(String what, Supplier<List<String>> found) {
    Eventually.holds("no " + what + " of " + found.get(), () -> found.get().isEmpty());
  }

  private static void assertNoFileIsOwnedTwice(List<Path> roots) throws IOException {
    Map<Path, Path> owners = new HashMap<>();
    for (Path root : roots) {
      for (Path file : Trees.below(root)) {
        Path relative = root.relativize(file);
        if (Files.isRegularFile(file) && !relative.startsWith(NodeMarker.DIR)) {
          assertNull(owners.put(relative, root), relative + " lies in two local dirs");
        }
      }
    }
  }
}
