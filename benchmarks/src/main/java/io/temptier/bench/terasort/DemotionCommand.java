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
package io.temptier.bench.terasort;

import io.temptier.bench.experiment.ArmResult;
import io.temptier.bench.experiment.ExperimentBench;
import io.temptier.bench.experiment.ExperimentOptions;
import io.temptier.bench.experiment.ExperimentPlan;
import io.temptier.bench.experiment.ExperimentResult;
import io.temptier.bench.experiment.Workload;
import io.temptier.cli.ExitCodes;
import io.temptier.cli.JsonFile;
import io.temptier.cli.Terminal;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
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
          + " two idle cores."
    },
    exitCodeList = {
      "0:all trials were made, and every one counts",
      "1:the node or the cluster could not be run, or nothing was demoted",
      "2:wrong use"
    })
public final class DemotionCommand implements Callable<Integer> {
  private static final long ROWS = 3_000_000;
  private static final long QUICK_ROWS = 1_000_000;

  @Mixin private final Terminal terminal = new Terminal();
  @Mixin private final JsonFile json = new JsonFile();
  @Mixin private final ExperimentOptions options = new ExperimentOptions();

  @Option(
      names = "--rows",
      paramLabel = "N",
      description = "Rows of 100 bytes to sort (default: 3000000; with --quick 1000000).")
  private @Nullable Long rows;

  /** Called by picocli. */
  public DemotionCommand() {}

  @Override
  public Integer call() throws InterruptedException {
    ExperimentResult result =
        ExperimentBench.measure(terminal, json, options, plan(), DemotionCommand::workload);
    boolean all = result.arms().stream().allMatch(ArmResult::validated);
    return all ? ExitCodes.FINE : ExitCodes.FAILED;
  }

  private static Optional<Class<? extends Workload>> workload(String label) {
    return label.equals(DemotionCost.LABEL) ? Optional.of(DemotionCost.class) : Optional.empty();
  }

  private ExperimentPlan plan() {
    long planRows = rows != null ? rows : options.quick() ? QUICK_ROWS : ROWS;
    terminal.atLeastOne("--rows", planRows);
    return options.plan(terminal, DemotionCost.EXPERIMENT, DemotionCost.of(planRows));
  }
}
