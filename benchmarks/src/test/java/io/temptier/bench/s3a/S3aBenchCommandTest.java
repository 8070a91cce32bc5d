// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.s3a;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.cli.main.Main;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine.Help.Ansi;

final class S3aBenchCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @ParameterizedTest
  @CsvSource({
    "--rounds=0, --rounds=0 is less than 1",
    "--patterns=fast, '--patterns=fast is none of random, skips, footers'",
    "--hadoop=2.7, '--hadoop=2.7 is none of 3.4.2, 3.4.3, 3.5.0'",
    "--conf-dir=/etc, --conf-dir and --bucket belong together",
    "--bucket=s3a://b/, --conf-dir and --bucket belong together",
    "-Dio.sort.mb=1, -D io.sort.mb is no property of S3A",
    "-Dfs.s3a.secret.key=x, -D fs.s3a.secret.key holds a secret"
  })
  void wrongOptionsAreRefusedWithTheirValue(String option, String message) {
    assertEquals(2, run("bench", "s3a", option), err::toString);
    assertTrue(err.toString().contains(message), err.toString());
  }

  @Test
  void aBucketIsAnUri() {
    assertEquals(2, run("bench", "s3a", "--conf-dir=/etc", "--bucket=data"));
    assertTrue(err.toString().contains("--bucket=data does not begin with s3a://"), err::toString);
  }

  @Test
  void aStoreThatIsThereIsAsFastAsItIs() {
    assertEquals(2, run("bench", "s3a", "--slow-store", "--conf-dir=/etc", "--bucket=s3a://b/"));
    assertTrue(err.toString().contains("--slow-store is for a Ceph of"), err::toString);
  }

  @Test
  void aStoreThatIsThereNeedsItsConfiguration() {
    assertEquals(1, run("bench", "s3a", "--conf-dir=/none", "--bucket=s3a://data/"));
    assertTrue(err.toString().contains("there is no /none/core-site.xml"), err::toString);
  }

  @Test
  void benchListsIt() {
    assertEquals(0, run("bench", "--help"));
    assertTrue(out.toString().contains("s3a"), out::toString);
  }

  private int run(String... args) {
    return Main.run(new PrintWriter(out), new PrintWriter(err), Ansi.OFF, args);
  }
}
