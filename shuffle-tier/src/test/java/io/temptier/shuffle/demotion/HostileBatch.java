// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import io.temptier.shuffle.output.MapOutputId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;

/** What a user may put in the place of a batch. */
final class HostileBatch {
  private static final String HINT = "hostile";

  private HostileBatch() {}

  /** Says what one is to do, in a file of the node. */
  static void tell(Path node, String does) throws IOException {
    Files.writeString(node.resolve(HINT), does);
  }

  public static void main(String[] args) throws Exception {
    Path fast = Path.of(args[5]);
    Path node = Objects.requireNonNull(fast.getParent());
    Path slow = node.resolve("disk");
    // After two dirs: attempt, bytes, dir.
    Path data = MapOutputId.of(args[2], args[3], args[9]).relativePath().resolve(MapOutputId.DATA);
    Path copy = slow.resolve(data);
    switch (Files.readString(node.resolve(HINT))) {
      case "floods" -> {
        while (true) {
          System.out.write(new byte[4096]);
        }
      }
      case "stays" -> Thread.sleep(Duration.ofMinutes(10).toMillis());
      case "makes a link to nothing" -> {
        Files.move(fast.resolve(data), fast.resolve("aside"));
        Files.createSymbolicLink(fast.resolve(data), copy);
      }
      case "makes a short copy" -> {
        Files.createDirectories(copy.getParent());
        Files.writeString(copy, "short");
        Files.move(fast.resolve(data), fast.resolve("aside"));
        Files.createSymbolicLink(fast.resolve(data), copy);
      }
      case "moves and fails" -> {
        Files.createDirectories(copy.getParent());
        Files.move(fast.resolve(data), copy);
        Files.createSymbolicLink(fast.resolve(data), copy);
        throw new IllegalStateException("so it seems");
      }
      case "loses the disk" -> {
        Files.move(fast, node.resolve("lost"));
        Files.createFile(fast);
      }
      default -> {}
    }
  }
}
