// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import io.temptier.shuffle.demotion.asuser.HelperReport;
import io.temptier.shuffle.demotion.asuser.HelperReport.Kind;
import io.temptier.shuffle.demotion.asuser.Orders;
import io.temptier.shuffle.output.MapOutputId;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;

/** What a user may put in the place of a helper. */
final class HostileHelper {
  private static final String HINT = "hostile";
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final OutputStream OUT = new FileOutputStream(FileDescriptor.out);

  private HostileHelper() {}

  /** Says what one is to do, in a file of the node. */
  static void tell(Path node, String does) throws IOException {
    Files.writeString(node.resolve(HINT), does);
  }

  private static void say(long order, Kind kind, String text) throws IOException {
    HelperReport.of(order, kind, text).send(OUT);
  }

  private static Path data(String[] args, Orders.Move move) {
    return MapOutputId.of(args[2], args[3], move.attempt())
        .relativePath()
        .resolve(MapOutputId.DATA);
  }

  public static void main(String[] args) throws Exception {
    // MEDIUM:PATH
    Path node = Objects.requireNonNull(Path.of(args[5].split(":", 2)[1]).getParent());
    String does = Files.readString(node.resolve(HINT));
    if (does.equals("floods")) {
      while (true) {
        System.out.write(new byte[4096]);
      }
    }
    HelperReport.greet(OUT);
    if (does.equals("jumps the gun")) {
      say(7, Kind.MOVED, "");
      Thread.sleep(Duration.ofMinutes(10).toMillis());
    }
    say(0, Kind.READY, does.equals("counts badly") ? "many" : "0");
    try (Orders orders = new Orders(Path.of(args[0]))) {
      Orders.Move move = orders.next(PATIENCE).orElseThrow();
      switch (does) {
        case "is silent" -> Thread.sleep(Duration.ofMinutes(10).toMillis());
        case "ends quietly" -> {}
        case "repeats itself" -> {
          while (true) {
            say(move.number(), Kind.PART, "");
          }
        }
        case "is late" -> {
          say(move.number() - 1, Kind.MOVED, "");
          say(move.number(), Kind.STOPPED, "the output changed");
        }
        case "loses the disk" -> {
          Files.move(node.resolve("nvme"), node.resolve("lost"));
          Files.createFile(node.resolve("nvme"));
          say(move.number(), Kind.MOVED, "");
        }
        case "moves and fails", "moves and stops" -> {
          Path file = Path.of(args[5].split(":", 2)[1]).resolve(data(args, move));
          Path copy = Path.of(args[6].split(":", 2)[1]).resolve(data(args, move));
          Files.createDirectories(copy.getParent());
          Files.move(file, copy);
          Files.createSymbolicLink(file, copy);
          say(move.number(), does.endsWith("stops") ? Kind.STOPPED : Kind.FAILED, "so it seems");
        }
        case "ends" -> throw new IllegalStateException("out of spite");
        default -> say(move.number(), Kind.MOVED, "");
      }
    }
  }
}
