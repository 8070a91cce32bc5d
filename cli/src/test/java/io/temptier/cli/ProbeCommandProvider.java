// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli;

import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** A command brought by another module, that ends in every way a command can end. */
public final class ProbeCommandProvider implements CommandProvider {
  @Override
  public List<Object> commands() {
    return List.of(new Probe(), new Hidden());
  }

  /** One that another module puts below {@code s3a}. */
  public static final class BelowS3a implements CommandProvider {
    @Override
    public List<Object> commands() {
      return List.of(new Probe());
    }

    @Override
    public String parent() {
      return "s3a";
    }
  }

  @Command(name = "test-hidden", hidden = true, description = "Not for people.")
  static final class Hidden implements Callable<Integer> {
    @Override
    public Integer call() {
      return ExitCodes.FINE;
    }
  }

  @Command(name = "test-probe", description = "Ends as it is told.")
  static final class Probe implements Callable<Integer> {
    @Mixin private final Terminal terminal = new Terminal();

    @Spec private CommandSpec spec = CommandSpec.create();

    @Option(names = "--rows")
    private int rows;

    @Parameters(index = "0", defaultValue = "fine")
    private String how = "";

    @Override
    public Integer call() throws Exception {
      switch (how) {
        case "fails" -> throw new CommandFailure("no NodeManager at nm1:8042");
        case "breaks" -> throw new IllegalStateException("a bug");
        case "outgrows" -> throw new OutOfMemoryError("Java heap space");
        case "lacks" -> throw new NoClassDefFoundError("org/apache/X");
        case "checked" -> throw new java.io.IOException("disk gone");
        case "misused" -> throw new ParameterException(spec.commandLine(), "rows=0 is too few");
        default -> terminal.out().println(terminal.styled("bold", how) + " " + rows);
      }
      return ExitCodes.FINE;
    }
  }
}
