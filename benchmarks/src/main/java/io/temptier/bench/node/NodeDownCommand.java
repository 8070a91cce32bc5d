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
package io.temptier.bench.node;

import io.temptier.bench.testbed.LastingHome;
import io.temptier.bench.testbed.TestbedHome;
import io.temptier.cli.ExitCodes;
import io.temptier.cli.Terminal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code temptier bench testbed down}. */
@Command(
    name = "down",
    description = {
      "Ends what runs on the testbed, and removes its disks, limits and folder.",
      "Removes what killed runs of any benchmark left, too."
    },
    exitCodeList = {"0:nothing is left", "1:something refused to go", "2:wrong use"},
    sortOptions = false)
final class NodeDownCommand implements Callable<Integer> {
  @Mixin private final Terminal terminal = new Terminal();
  @Mixin private final NodeFolder folder = new NodeFolder();

  @Override
  public Integer call() throws IOException {
    Path home = folder.home();
    boolean there = Files.exists(home);
    LastingHome.remove(home);
    for (Path parent : folder.parents()) {
      if (Files.isDirectory(parent)) {
        TestbedHome.sweep(parent);
      }
    }
    terminal.out().println(there ? "Removed " + home : "No testbed is in " + home.getParent());
    return ExitCodes.FINE;
  }
}
