// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.cli.main.Main;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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
        "bench all --rounds=0 | --rounds=0 is less than 1",
        "bench demotion --rounds=0 | --rounds=0 is less than 1",
        "bench demotion --rows=-1 | rows=-1 is not above 0",
        "bench demotion --slow-mbps=0 | --slow-mbps=0 is less than 1",
        "bench demotion --rows=x | rows=x is no number",
        "bench demotion --arms=temptier | --arms=temptier is none of demotion-off, demotion-on",
        "bench dfsio --experiment=e1 | --experiment=e1 is none of dfsio, e5",
        "bench dfsio --rows=0 --experiment=e5 | rows=0 is not above 0",
        "bench gridmix --tasks=0 | tasks=0 is not above 0",
        "bench gridmix --policy=LATER | policy=LATER is none of STRESS, REPLAY, SERIAL",
        "bench gridmix --block=big | block=big is no number",
        "bench gridmix --rounds=0 | --rounds=0 is less than 1",
        "bench gridmix --arms=stock | --arms=stock is none of stock-hdd",
        "bench run /none.json | /none.json is no file that can be read",
        "bench run /etc/hostname | it is no JSON in line 1",
        "bench run | Missing required parameter: 'FILE'",
        "bench s3a --rounds=0 | --rounds=0 is less than 1",
        "bench s3a --patterns=fast | --settings=fast is none of random, skips, footers",
        "bench s3a --hadoop=2.7 | hadoop=2.7 is none of 3.4.2, 3.4.3, 3.5.0",
        "bench s3a --conf-dir=/etc | --conf-dir and --bucket belong together",
        "bench s3a --bucket=s3a://b/ | --conf-dir and --bucket belong together",
        "bench s3a --conf-dir=/etc --bucket=data | --bucket=data does not begin with s3a://",
        "bench s3a --slow-store --conf-dir=/etc --bucket=s3a://b/ | --slow-store is for a Ceph of",
        "bench s3a -Dio.sort.mb=1 | -D io.sort.mb is no property of S3A",
        "bench s3a -Dfs.s3a.secret.key=x | -D fs.s3a.secret.key holds a secret",
        "bench shuffle --seconds=0 | seconds=0 is not above 0",
        "bench shuffle --seconds=601 | seconds=601.0 is not between 0 and 600",
        "bench shuffle --scenario=slow | --settings=slow is none of all-fast, mixed, all-slow",
        "bench shuffle --rounds=0 | --rounds=0 is less than 1",
        "bench shuffle --slow-iops=0 | --slow-iops=0 is less than 1",
        "bench shuffle --pass-size=much | passSize=much is no number",
        "bench shuffle --rounds=0 | Try 'temptier bench shuffle --help'",
        "bench spark --rows=0 | rows=0 is not above 0",
        "bench terasort --experiment=e9 | --experiment=e9 is none of e1, e2, e3, e4, e7, e8",
        "bench terasort --settings=1/2 | --settings=1/2 is none of fits",
        "bench terasort --rounds=0 | --rounds=0 is less than 1",
        "bench terasort --rows=-1 | rows=-1 is not above 0",
        "bench terasort --arms=stock | --arms=stock is none of stock-hdd",
        "bench terasort --block=big | block=big is no number",
        "bench terasort --memory=0 | --memory=0 is nothing",
        "bench testbed up --dir=/none --tasks=0 | --tasks=0 is less than 1",
        "bench testbed up --dir=/none --hdds=0 | hdds=0 is not between 1 and 12",
        "bench testbed up --dir=/none --slow-iops=0 | --slow-iops=0 is less than 1",
        "bench testbed up --dir=/none --fast-size=lots | \"lots\" is not a size",
        "bench tez --rows=0 | rows=0 is not above 0",
        "bench trace --tasks=0 /none | --tasks=0 is less than 1",
        "bench trace --seed=x /none | 'x' is not a long"
      })
  void wrongOptionsAreRefusedWithTheirValue(String line, String message) {
    assertEquals(2, run(line), err::toString);
    assertTrue(err.toString().contains(message), err::toString);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "bench | shuffle s3a",
        "bench demotion | --rounds --rows --slow-mbps --json",
        "bench dfsio | HDFS",
        "bench gridmix | --trace --policy --experiment gridmix-intel-lab",
        "bench shuffle | --scenario --json --slow-dir",
        "bench terasort | --experiment --arms --resume --json"
      })
  void helpNamesWhatIsThereForPeople(String command, String words) {
    assertEquals(0, run(command + " --help"));
    for (String word : words.split(" ", -1)) {
      assertTrue(out.toString().contains(word), out::toString);
    }
  }

  @Test
  void aStoreThatIsThereNeedsItsConfiguration() {
    assertEquals(1, run("bench s3a --conf-dir=/none --bucket=s3a://data/"));
    assertTrue(err.toString().contains("there is no /none/core-site.xml"), err::toString);
  }

  private int run(String line) {
    return Main.run(new PrintWriter(out), new PrintWriter(err), Ansi.OFF, line.split(" ", -1));
  }
}
