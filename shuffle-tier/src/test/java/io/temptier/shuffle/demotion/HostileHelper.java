// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import io.temptier.shuffle.demotion.asuser.HelperReport;
import io.temptier.shuffle.demotion.asuser.HelperReports;
import io.temptier.shuffle.demotion.asuser.Orders;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** What a user may put in the place of a helper. */
final class HostileHelper {
  private static final String HINT = "hostile";

  private HostileHelper() {}

  /** Says what one is to do, in a file of the node. */
  static void tell(Path node, String does) throws IOException {
    Files.writeString(node.resolve(HINT), does);
  }

  public static void main(String[] args) throws Exception {
    Path orders = Path.of(args[0]);
    HelperReports reports = new HelperReports(new FileOutputStream(FileDescriptor.out));
    try (Orders heard = new Orders(orders)) {
      Path node = heard.task().dirs().get(0).path().resolve("..");
      switch (Files.readString(node.resolve(HINT))) {
        case "floods" -> {
          while (true) {
            System.out.write(new byte[4096]);
          }
        }
        case "is silent" -> {
          reports.greet();
          reports.send(0, HelperReport.Kind.READY, "0");
          Thread.sleep(Duration.ofMinutes(10).toMillis());
        }
        case "ends quietly" -> {
          reports.greet();
          reports.send(0, HelperReport.Kind.READY, "0");
          Orders.Move unused = heard.next(Duration.ofMinutes(1)).orElseThrow();
        }
        case "repeats itself" -> {
          reports.greet();
          reports.send(0, HelperReport.Kind.READY, "0");
          while (true) {
            reports.send(0, HelperReport.Kind.PART, "");
          }
        }
        case "is late" -> {
          reports.greet();
          reports.send(0, HelperReport.Kind.READY, "0");
          Orders.Move move = heard.next(Duration.ofMinutes(1)).orElseThrow();
          reports.send(move.number() - 1, HelperReport.Kind.MOVED, "");
          reports.send(move.number(), HelperReport.Kind.STOPPED, "the output changed");
        }
        case "ends" -> {
          reports.greet();
          reports.send(0, HelperReport.Kind.READY, "0");
          heard.next(Duration.ofMinutes(1));
          throw new IllegalStateException("out of spite");
        }
        case "jumps the gun" -> {
          reports.greet();
          reports.send(7, HelperReport.Kind.MOVED, "");
          Thread.sleep(Duration.ofMinutes(10).toMillis());
        }
        default -> {
          reports.greet();
          reports.send(0, HelperReport.Kind.READY, "0");
          Orders.Move move = heard.next(Duration.ofMinutes(1)).orElseThrow();
          reports.send(move.number(), HelperReport.Kind.MOVED, "");
        }
      }
    }
  }
}
