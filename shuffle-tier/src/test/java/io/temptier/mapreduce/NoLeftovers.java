// SPDX-License-Identifier: Apache-2.0
package io.temptier.mapreduce;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.temptier.tier.LocalDir;
import io.temptier.tier.marker.NodeMarker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Checks after every test what must hold whatever the test did: no temporary file, no claim and no
 * registration of a task is left. The test class tells the folder its roots are in.
 *
 * <p>A claim on a capped dir stands for some seconds more, until a walk has seen the file's bytes
 * or their end; that these end too is checked after the last test.
 */
final class NoLeftovers implements AfterEachCallback, AfterAllCallback {
  private static final ExtensionContext.Namespace SPACE =
      ExtensionContext.Namespace.create(NoLeftovers.class);

  /** The local job runner deletes its own files after it has said that the job is done. */
  private static final Duration FILES_END_WITHIN = Duration.ofMinutes(5);

  private static final Duration CLAIMS_END_WITHIN = Duration.ofMinutes(5);

  /** Implemented by test classes. */
  interface Roots {
    /** Folder whose children are the roots. */
    Path roots();
  }

  /** A look at what is left. */
  private interface Look {
    List<Path> left() throws IOException;
  }

  @Override
  public void afterEach(ExtensionContext context) throws Exception {
    Path roots = ((Roots) context.getRequiredTestInstance()).roots();
    context
        .getParent()
        .orElseThrow()
        .getRoot()
        .getStore(SPACE)
        .put(context.getRequiredTestClass(), roots);
    assertNothingLeft("temporary files", FILES_END_WITHIN, () -> temporaryFiles(roots));
    assertEquals(0, MergerAllocator.attemptsInMerger(), "tasks still registered with Merger");
    assertNothingLeft("claims", FILES_END_WITHIN, () -> claims(roots, root -> !capped(root)));
  }

  @Override
  public void afterAll(ExtensionContext context) throws Exception {
    Path roots = context.getRoot().getStore(SPACE).get(context.getRequiredTestClass(), Path.class);
    if (roots != null) {
      assertNothingLeft("claims", CLAIMS_END_WITHIN, () -> claims(roots));
    }
  }

  private static void assertNothingLeft(String what, Duration within, Look look) throws Exception {
    long deadline = System.nanoTime() + within.toNanos();
    List<Path> left = look.left();
    while (!left.isEmpty() && System.nanoTime() < deadline) {
      Thread.sleep(20);
      left = look.left();
    }
    assertEquals(List.of(), left, what + " left");
  }

  private static List<Path> temporaryFiles(Path roots) throws IOException {
    List<Path> left = new ArrayList<>();
    for (Path root : children(roots)) {
      for (Path file : LocalJobs.filesUnder(root)) {
        if (!file.startsWith(root.resolve(NodeMarker.DIR))) {
          left.add(file);
        }
      }
    }
    return left;
  }

  /** Every claim under the roots. */
  static List<Path> claims(Path roots) throws IOException {
    return claims(roots, root -> true);
  }

  private static List<Path> claims(Path roots, Predicate<Path> wanted) throws IOException {
    List<Path> left = new ArrayList<>();
    for (Path root : children(roots)) {
      Path claims = NodeMarker.claims(root);
      if (Files.exists(claims) && wanted.test(root)) {
        left.addAll(LocalJobs.filesUnder(claims));
      }
    }
    return left;
  }

  private static boolean capped(Path root) {
    return NodeMarker.read(root)
        .flatMap(tiers -> tiers.layout().dirOf(root))
        .filter(LocalDir::capped)
        .isPresent();
  }

  private static List<Path> children(Path roots) throws IOException {
    if (!Files.exists(roots)) {
      return List.of();
    }
    try (Stream<Path> all = Files.list(roots)) {
      return all.toList();
    }
  }
}
