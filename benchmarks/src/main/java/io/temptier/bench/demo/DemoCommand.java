// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.demo;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.temptier.bench.experiment.RunCommand;
import io.temptier.bench.report.MachineFacts;
import io.temptier.cli.CommandFailure;
import io.temptier.cli.CommandProvider;
import io.temptier.cli.ExitCodes;
import io.temptier.cli.Progress;
import io.temptier.cli.Terminal;
import io.temptier.lab.cluster.HadoopRuntime;
import io.temptier.lab.cluster.PseudoCluster;
import io.temptier.tier.text.Sizes;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

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

  @Option(
      names = "--rows",
      paramLabel = "N",
      defaultValue = "5000000",
      description = "Generate N rows of 100 bytes and sort them (default: ${DEFAULT-VALUE}).")
  private long rows;

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
      names = "--stay",
      description = "Leave the cluster running until Ctrl-C, and print commands to try on it.")
  private boolean stay;

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
    DemoPlan plan = plan();
    try {
      return run(plan, terminal.out());
    } catch (IOException e) {
      throw new CommandFailure("the demo failed: " + e.getMessage(), e);
    }
  }

  private DemoPlan plan() {
    terminal.atLeastOne("--rows", rows);
    if (nodes < 1 || nodes > MAX_NODES) {
      throw terminal.wrongUse("--nodes=" + nodes + " is not between 1 and " + MAX_NODES);
    }
    try {
      return DemoPlan.of(rows, nodes, fastCap);
    } catch (IllegalArgumentException e) {
      throw terminal.wrongUse("--fast-cap: " + e.getMessage() + ", or unlimited");
    } catch (ArithmeticException e) {
      throw terminal.wrongUse("--rows=" + rows + " is more than " + Sizes.format(Long.MAX_VALUE));
    }
  }

  private int run(DemoPlan plan, PrintWriter out) throws IOException, InterruptedException {
    Path parent = work == null ? HadoopRuntime.workFolder() : work.toAbsolutePath().normalize();
    if (!HadoopRuntime.plain(parent)) {
      throw new IOException(
          "YARN cannot work in %s: its paths may hold letters, digits and /._+- only. Give another"
                  .formatted(parent)
              + " folder with --work");
    }
    Files.createDirectories(parent);
    CommandFailure.ifAny(plan.tooLittle(Files.getFileStore(parent).getUsableSpace(), parent));
    Path home = parent.resolve("temptier-demo-" + ProcessHandle.current().pid());
    HadoopRuntime runtime = HadoopRuntime.locate();
    Path reports =
        report != null ? report.toAbsolutePath().normalize() : HadoopRuntime.resultFolder("demo");
    Files.createDirectories(reports);
    out.println(DemoReport.announcement(plan, home));
    out.flush();
    Map<String, String> facts = MachineFacts.gather(runtime, parent, terminal.typed());
    Progress phases = terminal.phases("demo");
    Thread atSignal =
        new Thread(
            () ->
                terminal
                    .err()
                    .println(
                        "temptier: stopped at "
                            + phases.last()
                            + ". The cluster and its logs, in "
                            + home
                            + ", are removed."));
    Runtime.getRuntime().addShutdownHook(atSignal);
    try (Progress progress = phases;
        PseudoCluster cluster =
            PseudoCluster.start(DemoRun.spec(plan, runtime, home), progress::say)) {
      DemoResult result = new DemoRun(plan, cluster, progress::say).run(facts);
      Runnable quiet = progress::close;
      quiet.run();
      Runtime.getRuntime().removeShutdownHook(atSignal);
      tell(result, reports, out);
      if (stay) {
        stay(DemoResult.application(result.jobs().get(1)), cluster, out);
      }
      return result.validated() ? ExitCodes.FINE : ExitCodes.FAILED;
    }
  }

  private void tell(DemoResult result, Path reports, PrintWriter out) throws IOException {
    DemoReport shown = new DemoReport(result);
    Path html = reports.resolve("report.html");
    Files.writeString(html, shown.page().html());
    MAPPER.writeValue(reports.resolve("report.json").toFile(), result);
    shown.print(out);
    out.println("Report: " + html + " (and report.json beside it)");
    out.flush();
  }

  /** Waits for Ctrl-C, at which the cluster's hook ends it. */
  private static void stay(String application, PseudoCluster cluster, PrintWriter out)
      throws InterruptedException {
    out.println();
    out.println("The cluster runs until Ctrl-C. Try on it, from another terminal:");
    for (String command :
        List.of(
            "doctor --conf-dir " + cluster.nodeConf(0),
            "status --jmx " + cluster.nodeUrl(0),
            "status --rm " + cluster.resourceManagerUrl(),
            "history --rm " + cluster.resourceManagerUrl(),
            "explain " + application + " --conf-dir " + cluster.nodeConf(0))) {
      out.println("  ./temptier " + command);
    }
    out.flush();
    new CountDownLatch(1).await();
  }

  /** Adds {@code demo} and {@code bench} to the command line. */
  public static final class Provider implements CommandProvider {
    @Override
    public List<Object> commands() {
      return List.of(new DemoCommand(), new BenchCommand());
    }

    @Command(
        name = "bench",
        description = "Measures TempTier side by side with stock Hadoop on this machine.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {RunCommand.class, RunCommand.Listing.class})
    private static final class BenchCommand {}
  }
}
