// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.cli.CommandProvider;
import io.temptier.cli.main.Main;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/** What commands say of options, before anything is made. */
final class WrongUseTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "bench | Missing required subcommand",
        "bench run | Missing required parameter: 'NAME|FILE'",
        "bench run /none.json | /none.json is neither an experiment that",
        "bench run /etc/hostname | it is no JSON in line 1",
        "bench run e1 e2 --rounds=0 | --rounds=0 is less than 1",
        "bench run e1 --rounds=0 | Try 'temptier bench run --help'",
        "bench run e1 --settings=1/2 | --settings=1/2 is none of fits",
        "bench run e1 --arms=stock | --arms=stock is none of stock-hdd",
        "bench run e1 --set rows=-1 | rows=-1 is not above 0",
        "bench run e1 --set rows=x | rows=x is no number",
        "bench run e1 --set block=big | block=big is no number",
        "bench run e1 --set memory=0 | memory=0 is not above 0",
        "bench run e1 --set slowIops=0 | slowIops=0 is not above 0",
        "bench run e1 --dirs=/n0,[DISK]/h0 | write [NVME], [SSD] or [DISK] in front",
        "bench run e1 --dirs=[DISK]/h0 | no fast dir",
        "bench run e1 --dirs=[NVME]/n0 | no [DISK] dir",
        "bench run e1 --dirs=[NVMI]/n0,[DISK]/h0 | [NVMI]/n0",
        "bench run e2 --dirs=[NVME]/n0,[DISK]/h0 | e2 is about nodes that differ in their disks",
        "bench run e1 --conf-dir=/c --dirs=[NVME]/n0,[DISK]/h0 | exclude each other",
        "bench run e1 --conf-dir=/c -Dtemptier.demotion.high=60% | -D and --conf-dir exclude",
        "bench run e1 -Dtemptier.demotion.hihg=60% | did you mean temptier.demotion.high?",
        "bench run e1 --resume=/none | --resume=/none is no folder",
        "bench run e1 --resume=/tmp --report=/x | --resume=/tmp and --report exclude each other",
        "bench run e1 --set row=1 | has no such property, but rows, block, reduces; its bounds are",
        "bench run demotion --arms=temptier | --arms=temptier is none of demotion-off, demotion-on",
        "bench run s3a --settings=fast | --settings=fast is none of random, skips, footers",
        "bench run s3a --set hadoop=2.7 | hadoop=2.7 is none of 3.4.2, 3.4.3, 3.5.0",
        "bench run s3a --conf-dir=/etc | --conf-dir and --set bucket= belong together",
        "bench run s3a --set bucket=s3a://b/ | --conf-dir and --set bucket= belong together",
        "bench run s3a --conf-dir=/etc --set bucket=data | bucket=data does not begin with s3a://",
        "bench run s3a --set slowStore=true --conf-dir=/etc --set bucket=s3a://b/ | slowStore is"
            + " for",
        "bench run s3a -Dio.sort.mb=1 | -D io.sort.mb is no property of S3A",
        "bench run s3a -Dfs.s3a.secret.key=x | -D fs.s3a.secret.key holds a secret",
        "bench run shuffle --set seconds=601 | seconds=601.0 is not between 0 and 600",
        "bench run shuffle --set passSize=much | passSize=much is no number"
      })
  void wrongOptionsAreRefusedWithTheirValue(String line, String message) {
    assertEquals(2, run(line), err::toString);
    assertTrue(err.toString().contains(message), err::toString);
  }

  @Test
  void aStoreThatIsThereNeedsItsConfiguration() {
    assertEquals(1, run("bench run s3a --conf-dir=/none --set bucket=s3a://data/"));
    assertTrue(err.toString().contains("there is no /none/core-site.xml"), err::toString);
  }

  @Test
  void theListHasEveryExperimentWithItsQuestion() {
    assertEquals(0, run("bench list"));
    assertTrue(out.toString().contains("e8 "), out::toString);
    assertTrue(out.toString().contains("What demotion costs a job"), out::toString);
  }

  private int run(String line) {
    return Main.run(new PrintWriter(out), new PrintWriter(err), Ansi.OFF, line.split(" ", -1));
  }

  /** Such as of a per cent sign that it takes for a format: picocli warns on standard error. */
  @Test
  void noneIsPrintedWithAWarning() {
    List<String> shown = new ArrayList<>();
    ByteArrayOutputStream warnings = new ByteArrayOutputStream();
    PrintStream err = System.err;
    System.setErr(new PrintStream(warnings, true, StandardCharsets.UTF_8));
    try {
      for (CommandProvider provider : ServiceLoader.load(CommandProvider.class)) {
        provider.commands().forEach(command -> show(new CommandLine(command), shown));
      }
    } finally {
      System.setErr(err);
    }
    assertTrue(shown.size() > 4, shown::toString);
    assertEquals("", warnings.toString(StandardCharsets.UTF_8));
  }

  private static void show(CommandLine command, List<String> shown) {
    shown.add(command.getCommandName());
    assertTrue(command.getUsageMessage().contains("Usage: "), command::getCommandName);
    command.getSubcommands().values().forEach(below -> show(below, shown));
  }
}
