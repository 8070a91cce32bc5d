// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.doctor;

import io.temptier.cli.ExitCodes;
import io.temptier.cli.JsonFile;
import io.temptier.cli.Terminal;
import io.temptier.tier.KernelClassifier;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code temptier doctor}. */
@Command(
    name = "doctor",
    description = {
      "Checks the configuration files of a cluster before they are rolled out, offline.",
      "Reads yarn-site.xml, mapred-site.xml and core-site.xml as Hadoop will."
    },
    exitCodeList = {
      "0:ready to be rolled out",
      "1:not ready: some finding is an ERROR, or UNKNOWN: it could not be told",
      "2:wrong use"
    },
    sortOptions = false)
public final class DoctorCommand implements Callable<Integer> {
  @Mixin private final Terminal terminal = new Terminal();
  @Mixin private final JsonFile json = new JsonFile();

  @Option(
      names = "--conf-dir",
      paramLabel = "DIR",
      required = true,
      description = "The folder with the files, such as /etc/hadoop/conf.")
  private Path confDir = Path.of("");

  @Option(
      names = "--class-path",
      paramLabel = "PATH",
      description =
          "The NodeManager's class path, as 'yarn classpath' prints it on a node, in place of what"
              + " hadoop-env.sh and yarn-env.sh in the folder make of it.")
  private @Nullable String classPath;

  /** Creates the command; picocli fills it in. */
  public DoctorCommand() {}

  @Override
  public Integer call() {
    terminal.readable("--conf-dir", confDir);
    Doctor doctor =
        new Doctor(new KernelClassifier(), System.getenv(), Optional.ofNullable(classPath));
    Diagnosis diagnosis =
        doctor
            .examine(confDir)
            .orElseThrow(
                () ->
                    terminal.wrongUse(
                        "--conf-dir "
                            + confDir
                            + " holds none of "
                            + String.join(", ", Rollout.SITE_FILES)
                            + "."));
    new DoctorText(json.textOf(terminal), terminal).print(diagnosis);
    json.write(DoctorJson.of(diagnosis), terminal);
    return diagnosis.ready() ? ExitCodes.FINE : ExitCodes.FAILED;
  }
}
