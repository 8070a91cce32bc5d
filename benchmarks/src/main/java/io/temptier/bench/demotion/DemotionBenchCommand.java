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
package io.temptier.bench.demotion;

import io.temptier.bench.cluster.Facts;
import io.temptier.bench.cluster.HadoopRuntime;
import io.temptier.bench.testbed.SlowDiskOptions;
import io.temptier.cli.CommandFailure;
import io.temptier.cli.ExitCodes;
import io.temptier.cli.JsonFile;
import io.temptier.cli.Progress;
import io.temptier.cli.Terminal;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The {@code bench demotion} command. */
@Command(
    name = "demotion",
    description = {
      "Measures how much demotion slows a running job: the same sort with demotion and without, in"
          + " turn.",
      "As root the disks are emulated: two ext4 on loop devices, one of them throttled by the"
          + " kernel. Otherwise they are folders of one disk. Takes about a quarter of an hour on"
          + " two idle cores; exits with 1 when nothing was demoted."
    })
public final class DemotionBenchCommand implements Callable<Integer> {
  @Mixin private final Terminal terminal = new Terminal();
  @Mixin private final JsonFile json = new JsonFile();
  @Mixin private final SlowDiskOptions slowDisk = new SlowDiskOptions();

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "5",
      description = "How often the job runs with demotion and without (default: ${DEFAULT-VALUE}).")
  private int rounds;

  @Option(
      names = "--rows",
      paramLabel = "N",
      defaultValue = "3000000",
      description = "Rows of 100 bytes to sort (default: ${DEFAULT-VALUE}).")
  private long rows;

  /** Called by picocli. */
  public DemotionBenchCommand() {}

  @Override
  public Integer call() throws InterruptedException {
    terminal.atLeastOne("--rounds", rounds);
    terminal.atLeastOne("--rows", rows);
    try {
      return run(new DemotionPlan(rows, rounds, slowDisk.speed(terminal)), json.textOf(terminal));
    } catch (IOException e) {
      throw new CommandFailure("bench demotion could not be run: " + e.getMessage(), e);
    }
  }

  private int run(DemotionPlan plan, PrintWriter out) throws IOException, InterruptedException {
    HadoopRuntime runtime = HadoopRuntime.locate();
    Path work = HadoopRuntime.workFolder();
    DemotionResult result;
    try (DemotionDisks disks = DemotionDisks.open(plan, work)) {
      DemotionText.plan(out, plan, disks.descriptions());
      Map<String, String> facts = Facts.gather(runtime, work, terminal.typed());
      facts.put("load before", Facts.load());
      List<Trial> trials;
      try (Progress progress = terminal.progress("bench demotion")) {
        trials = new DemotionRun(plan, runtime, disks, progress::say).run();
      }
      facts.put("load after", Facts.load());
      result = new DemotionResult(plan, trials, disks.descriptions(), facts);
    }
    json.write(DemotionJson.of(result), terminal);
    DemotionText.result(out, result);
    out.flush();
    return result.invalid().isPresent() ? ExitCodes.FAILED : ExitCodes.FINE;
  }
}
