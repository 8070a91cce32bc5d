// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.demo;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.temptier.bench.report.Facts;
import io.temptier.cli.CommandFailure;
import io.temptier.cli.ExitCodes;
import io.temptier.cli.JsonFile;
import io.temptier.cli.Progress;
import io.temptier.cli.Terminal;
import io.temptier.lab.cluster.HadoopRuntime;
import io.temptier.tier.Sizes;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The {@code demo} command. */
@Command(
    name = "demo",
    description = {
      "Sorts data on a real Hadoop cluster of this machine, with a fast tier too small for all of"
          + " it, and reports where the temporary bytes went.",
      "NameNode, DataNode, ResourceManager, NodeManagers and JobHistoryServer run as JVMs of their"
          + " own on 127.0.0.1, in at most 4 GB of memory with two nodes, and end with the command."
    })
public final class DemoCommand implements Callable<Integer> {
  private static final int MAX_NODES = 16;
  private static final ObjectMapper MAPPER =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  @Mixin private final Terminal terminal = new Terminal();
  @Mixin private final JsonFile json = new JsonFile();

  @Option(
      names = "--rows",
      paramLabel = "N",
      description = "Generate N rows of 100 bytes and sort them (default: 5000000).")
  private @Nullable Long rows;

  @Option(
      names = "--input",
      paramLabel = "PATH",
      description = "Sort the lines of this file, or of all files in this folder, instead.")
  private @Nullable Path input;

  @Option(
      names = "--fast-cap",
      paramLabel = "BYTES",
      description =
          "The most bytes of the fast tier, of all nodes together, such as 256m, 0 or unlimited"
              + " (default: about half of the temporary data).")
  private @Nullable String fastCap;

  @Option(
      names = "--nodes",
      paramLabel = "N",
      defaultValue = "2",
      description = "How many NodeManagers (default: ${DEFAULT-VALUE}).")
  private int nodes;

  @Option(
      names = "--keep",
      description = "Keep the cluster's folder: its data, logs and configuration.")
  private boolean keep;

  @Option(
      names = "--report",
      paramLabel = "DIR",
      description = "Where to write report.html and report.json (default: target/demo).")
  private @Nullable Path report;

  @Option(
      names = "--work",
      paramLabel = "DIR",
      description = "Where to make the cluster's folder (default: beside the build).")
  private @Nullable Path work;

  @Override
  public Integer call() throws InterruptedException {
    PrintWriter out = json.textOf(terminal);
    try {
      return run(out);
    } catch (IOException e) {
      throw new CommandFailure("the demo failed: " + e.getMessage(), e);
    }
  }

  private int run(PrintWriter out) throws IOException, InterruptedException {
    DemoPlan plan = plan();
    Path parent = parent();
    Files.createDirectories(parent);
    CommandFailure.ifAny(plan.tooLittle(Files.getFileStore(parent).getUsableSpace(), parent));
    Path home = parent.resolve("temptier-demo-" + ProcessHandle.current().pid());
    HadoopRuntime runtime = HadoopRuntime.locate();
    Path reports = reports();
    Files.createDirectories(reports);
    DemoText.plan(out, plan, home.toString());
    Map<String, String> facts = Facts.gather(runtime, parent, terminal.typed());
    DemoResult result;
    try (Progress progress = terminal.progress("demo")) {
      result = new DemoRun(plan, runtime, home, keep, progress::say).run(facts);
    }
    Path html = reports.resolve("report.html");
    Files.writeString(html, new DemoReport(result).page().html());
    MAPPER.writeValue(reports.resolve("report.json").toFile(), result);
    json.write(result, terminal);
    DemoText.result(out, result);
    out.println("Report: " + html + " (and report.json beside it)");
    if (keep) {
      out.println("Kept:   " + home);
    }
    out.flush();
    return result.validated() ? ExitCodes.FINE : ExitCodes.FAILED;
  }

  private DemoPlan plan() throws IOException {
    if (rows != null && input != null) {
      throw terminal.wrongUse("--rows and --input exclude each other");
    }
    if (rows != null && rows < 1) {
      throw terminal.wrongUse("--rows=" + rows + " is less than 1");
    }
    if (nodes < 1 || nodes > MAX_NODES) {
      throw terminal.wrongUse("--nodes=" + nodes + " is not between 1 and " + MAX_NODES);
    }
    try {
      if (input == null) {
        long count = rows == null ? 5_000_000 : rows;
        return DemoPlan.of(
            count, List.of(), Math.multiplyExact(count, DemoPlan.ROW_BYTES), nodes, fastCap);
      }
      if (!Files.isReadable(input)) {
        throw terminal.wrongUse("--input=" + input + " cannot be read");
      }
      List<Path> files = DemoPlan.filesBelow(input.toAbsolutePath());
      long bytes = 0;
      for (Path file : files) {
        bytes += Files.size(file);
      }
      if (bytes == 0) {
        throw terminal.wrongUse("--input=" + input + " holds no data");
      }
      return DemoPlan.of(0, files, bytes, nodes, fastCap);
    } catch (IllegalArgumentException e) {
      throw terminal.wrongUse("--fast-cap: " + e.getMessage() + ", or unlimited");
    } catch (ArithmeticException e) {
      throw terminal.wrongUse("--rows=" + rows + " is more than " + Sizes.format(Long.MAX_VALUE));
    }
  }

  private Path reports() throws IOException {
    if (report != null) {
      return report.toAbsolutePath().normalize();
    }
    return HadoopRuntime.sourceRoot()
        .orElseGet(() -> Path.of("").toAbsolutePath())
        .resolve("target/demo");
  }

  private Path parent() throws IOException {
    Path parent = work == null ? HadoopRuntime.workFolder() : work.toAbsolutePath().normalize();
    if (!HadoopRuntime.plain(parent)) {
      throw new IOException(
          ("YARN cannot work in %s: its paths may hold letters, digits and /._+- only. Give"
                  + " another folder with --work")
              .formatted(parent));
    }
    return parent;
  }
}
