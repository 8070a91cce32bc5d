// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.s3a;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.temptier.cli.ExitCodes;
import io.temptier.cli.Run;
import io.temptier.s3a.profile.S3aWorkload;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ProfileCommandTest {
  private static Run profile(String options) {
    return Run.of(List.of("s3a", "profile"), options.split(" ", -1));
  }

  private static Configuration parsed(String xml) {
    Configuration conf = new Configuration(false);
    conf.addResource(new ByteArrayInputStream(xml.getBytes(StandardCharsets.UTF_8)), "fragment");
    return conf;
  }

  private static void assertFailure(Run run, int code, String message) {
    run.ends(code);
    assertEquals("", run.out());
    run.tells(message).lacks("\tat ");
  }

  @Test
  void printsAFragmentWithItsReasons() throws Exception {
    Run run =
        profile(
                "--workload columnar --hadoop 3.4.3 --endpoint http://rgw1:8080 --memory 8g"
                    + " --streams 2 --active-blocks 8 --part-size 32m")
            .fine("workload columnar", "576 MiB at most", "fs.s3a.multipart.purge: left at false");
    Configuration values = parsed(run.out());
    assertEquals("http://rgw1:8080", values.get("fs.s3a.endpoint"));
    assertEquals(null, values.get("fs.s3a.s3.client.factory.impl"), "one is not spread over");
    assertEquals("array", values.get("fs.s3a.fast.upload.buffer"));
    assertEquals("8", values.get("fs.s3a.fast.upload.active.blocks"));
    assertEquals("32M", values.get("fs.s3a.multipart.size"));
    assertEquals(null, values.get("fs.s3a.buffer.dir"), "nothing lies on disk");
    run.fits();
  }

  /**
   * Half of 0.8 x 4 GiB is 1638 MiB: five streams of 320 MiB, and not six. A small heap in a large
   * container leaves room outside it, where Java's direct memory is as large as the heap.
   */
  @ParameterizedTest
  @CsvSource({
    "--memory 4g --streams 5, array",
    "--memory 4g --streams 6, disk",
    "--memory 8g --heap 2g --streams 6, bytebuffer",
    "--memory 8g --heap 1g --streams 1, array",
    "--memory 8g --heap 2g --streams 7, disk",
    "--memory 8g --heap 300m --streams 10, disk",
    "--memory 1g --streams 1, array",
    "--memory 1g --streams 2, disk",
    "--memory 1g --streams 2 --active-blocks 1, array",
    "--part-size 64m, disk",
    "--memory 4g --streams 1 --buffer disk, disk",
    "--memory 8g --heap 1g --streams 1 --buffer bytebuffer, bytebuffer",
    // The largest numbers do not overflow.
    "--memory 1p --streams 10000 --active-blocks 100000 --part-size 2047m, disk",
  })
  void theFastestBufferThatHoldsAllBlocksIsTaken(String options, String buffer) {
    Run run = profile("--workload shuffle-free-write --hadoop 3.4.2 " + options).fine();
    assertEquals(buffer, parsed(run.out()).get("fs.s3a.fast.upload.buffer"));
  }

  @Test
  void whatBuffersNeedIsSaid() {
    profile("--workload mixed --hadoop 3.4.2 --memory 8g --streams 16")
        .says("being filled) x 64 MiB = 5 GiB for one container");
  }

  @ParameterizedTest
  @EnumSource
  void everyWorkloadGivesAFileThatHadoopReads(S3aWorkload workload) {
    Run run = profile("--workload " + workload + " --hadoop 3.5.0").fine();
    Configuration conf = parsed(run.out());
    assertEquals("AWS4UnsignedPayloadSignerType", conf.get("fs.s3a.s3.signing-algorithm"));
    assertEquals(null, conf.get("fs.s3a.endpoint"), "none was given");
    assertEquals(null, conf.get("fs.s3a.connection.ssl.enabled"));
    assertEquals("true", conf.get("fs.s3a.path.style.access"));
    boolean reads = workload != S3aWorkload.SHUFFLE_FREE_WRITE;
    assertEquals(reads ? "classic" : null, conf.get("fs.s3a.input.stream.type"));
  }

  @Test
  void theFirstOfTheGatewaysIsTheEndpoint() {
    Run run =
        profile("--workload mixed --hadoop 3.5.0 --endpoint https://rgw1 https://rgw2:8443/")
            .fine();
    Configuration conf = parsed(run.out());
    assertEquals("https://rgw1", conf.get("fs.s3a.endpoint"));
    assertEquals("https://rgw1,https://rgw2:8443", conf.get("temptier.s3a.endpoints"));
    assertEquals(
        "io.temptier.s3a.endpoint.SpreadingS3ClientFactory",
        conf.get("fs.s3a.s3.client.factory.impl"));
    assertEquals("normal", conf.get("fs.s3a.experimental.input.fadvise"));
  }

  @Test
  void takesTheHadoopItRunsWith() {
    Run run = profile("--workload scan").fine();
    String version = org.apache.hadoop.util.VersionInfo.getVersion();
    run.says("for Hadoop " + version + ", workload scan");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--workload columner | \"columner\" is no workload: expected columnar, scan, mixed,"
            + " shuffle-free-write, document. Did you mean columnar?",
        "--hadoop 3.5.0 | Missing required option: '--workload=NAME'",
        "--workload scan --hadoop 3.2.4 | --hadoop 3.2.4 is unknown: S3A was read in 3.3.6, 3.4.1,"
            + " 3.4.2, 3.4.3, 3.5.0.",
        "--workload scan --hadoop 3.3.6 --endpoint http://rgw1 http://rgw2 | Hadoop 3.3.6 takes one"
            + " endpoint",
        "--workload scan --memory 4x --streams 2 | --memory: \"4x\" is not a size",
        "--workload scan --memory 4g | --memory needs --streams",
        "--workload scan --streams 4 | --streams says nothing without --memory",
        "--workload scan --heap 4g | --heap says nothing without --memory",
        "--workload scan --memory 4g --streams 2 --heap 5g | a heap of 5 GiB does not go into a"
            + " container of 4 GiB",
        "--workload scan --memory 1 --streams 1 | does not go into a container",
        "--workload scan --part-size 4m | a part of 4 MiB is out of bounds: S3 takes 5 MiB",
        "--workload scan --part-size 5242879 | a part of 5 MiB is out of bounds",
        "--workload scan --part-size 2g | a part of 2 GiB is out of bounds",
        "--workload scan --memory 4g --streams 0 | streams of 0",
        "--workload scan --memory 4g --streams 10001 | streams of 10001",
        "--workload scan --active-blocks 0 | active blocks of 0",
        "--workload scan --active-blocks 100001 | active blocks of 100001",
        "--workload scan --endpoint rgw1:8080 | \"rgw1:8080\" is no endpoint: expected one such as",
        "--workload scan --endpoint http://rgw1/bucket | goes on after the host",
        "--workload scan --buffer ram | --buffer",
        "--workload scan --committer file | --committer",
      })
  void wrongUseSaysWhatIsWrong(String args, String message) {
    assertFailure(profile(args), ExitCodes.WRONG_USE, message);
  }

  @Test
  void aSecretInAnEndpointIsNotRepeated() {
    Run run = profile("--workload scan --endpoint http://me:hunter2@rgw1");
    assertFailure(run, ExitCodes.WRONG_USE, "holds a user or a password");
    run.lacks("hunter2");
  }

  @ParameterizedTest
  @CsvSource({
    "array --memory 4g --streams 8, 1.6 GiB of a heap of 3.2 GiB",
    "array --memory 4g --heap 2g --streams 8, 1 GiB of a heap of 2 GiB",
    "bytebuffer --memory 4g --heap 3g --streams 8, 2.5 GiB",
    "bytebuffer --memory 8g --heap 300m --streams 10, 300 MiB",
    "bytebuffer --memory 1g --streams 1, 320 MiB",
  })
  void aPlanThatCanRunOutIsRefusedWithWhatToChange(String options, String said) {
    Run run = profile("--workload mixed --hadoop 3.4.2 --buffer " + options);
    assertFailure(run, ExitCodes.FAILED, options.split(" ", 2)[0] + " buffers can run out: they");
    run.tells(
        said,
        "Raise --memory or --heap, lower --streams, --active-blocks or --part-size, or take"
            + " --buffer disk");
  }

  @Test
  void aPlanWithoutMemoryIsRefusedToo() {
    Run run = profile("--workload mixed --hadoop 3.4.2 --buffer bytebuffer");
    assertFailure(run, ExitCodes.FAILED, "Give --memory and --streams");
  }

  @Test
  void theParentAloneShowsItsCommands() {
    Run.of("s3a").misused("profile");
  }
}
