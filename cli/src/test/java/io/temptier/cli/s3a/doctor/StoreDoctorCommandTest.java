// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.s3a.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.cli.ExitCodes;
import io.temptier.cli.Run;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Without a store: what settings show, and that nothing is there. */
class StoreDoctorCommandTest {
  private static final String SECRET = "hunter2hunter2";

  @TempDir private Path folder;

  /** Sound settings for a gateway that is not there. */
  private static Map<String, String> sound() throws IOException {
    Map<String, String> conf = new LinkedHashMap<>();
    conf.put("fs.s3a.endpoint", "http://127.0.0.1:" + nobodysPort());
    conf.put("fs.s3a.endpoint.region", "us-east-1");
    conf.put("fs.s3a.connection.ssl.enabled", "false");
    conf.put("fs.s3a.path.style.access", "true");
    conf.put("fs.s3a.s3.signing-algorithm", "AWS4UnsignedPayloadSignerType");
    conf.put("fs.s3a.input.stream.type", "classic");
    conf.put("fs.s3a.committer.name", "magic");
    conf.put("fs.s3a.access.key", "ACCESSKEY");
    conf.put("fs.s3a.secret.key", SECRET);
    return conf;
  }

  private static int nobodysPort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private Run doctor(Map<String, String> conf, String... more) throws IOException {
    StringBuilder xml = new StringBuilder("<configuration>\n");
    conf.forEach(
        (key, value) ->
            xml.append(
                "<property><name>" + key + "</name><value>" + value + "</value></property>\n"));
    Path file = folder.resolve("core-site.xml");
    Files.writeString(file, xml.append("</configuration>\n"));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    List<String> args =
        new ArrayList<>(List.of("s3a", "doctor", "--conf-dir", folder.toString(), "s3a://data/"));
    args.addAll(List.of(more));
    return Run.of(args.toArray(new String[0]));
  }

  @Test
  void soundSettingsHaveNothingButTheGatewayThatIsDown() throws IOException {
    Run run = doctor(sound());
    assertEquals(ExitCodes.FAILED, run.code(), run.err());
    assertTrue(run.out().contains("Settings: ok"), run.out());
    assertTrue(run.out().contains("Upload buffers: ok"), run.out());
    assertTrue(run.out().contains("Nothing listens there"), run.out());
    assertTrue(run.out().contains("core-site.xml, line 2"), run.out());
    assertTrue(run.out().contains("Not asked, since it could only fail, too"), run.out());
    assertTrue(run.out().contains("Not ready: 1 error, no warnings, no remarks."), run.out());
    assertFalse((run.out() + run.err()).contains(SECRET), run.out());
  }

  @ParameterizedTest
  @CsvSource({
    "fs.s3a.connection.ssl.enabled, true, The endpoint says http and wins",
    "fs.s3a.endpoint.region, '', Signatures hold a region",
    "fs.s3a.path.style.access, false, Requests go to BUCKET.HOST",
    "fs.s3a.create.checksum.algorithm, SHA256, With any algorithm every upload",
    "fs.s3a.input.stream.type, prefetch, The prefetch stream failed",
    "fs.s3a.committer.name, file, Jobs commit by renaming",
    "fs.s3a.committer.magic.enabled, false, switched off: jobs fail",
    "fs.s3a.connection.maximum, 50, requests wait for one",
    "fs.s3a.fast.upload, true, Obsolete",
    "fs.s3a.readahed.range, 1M, Did you mean fs.s3a.readahead.range?",
    "fs.s3a.fast.upload.buffer, ram, S3A knows no such buffer",
    "fs.s3a.multipart.size, 4M, out of bounds",
    "fs.s3a.fast.upload.active.blocks, 99999, No space available in any",
    "fs.s3a.buffer.dir, /proc/version, is no folder",
  })
  void whatIsOffIsSaidWithItsConsequence(String key, String value, String text) throws IOException {
    Map<String, String> conf = sound();
    conf.put(key, value);
    if (key.endsWith("active.blocks")) {
      conf.put("fs.s3a.multipart.size", "2000M");
    }
    Run run = doctor(conf);
    assertEquals(ExitCodes.FAILED, run.code(), run.err());
    String flat = run.out().replaceAll("\\s+", " ");
    assertTrue(flat.contains(text), run.out());
    assertTrue(flat.contains("-->"), run.out());
  }

  @Test
  void aFactoryOfSomebodyElseIsSaid() throws IOException {
    Files.writeString(
        folder.resolve("mapred-site.xml"),
        """
        <configuration>
        <property>
          <name>mapreduce.outputcommitter.factory.scheme.s3a</name>
          <value>x.Y</value>
        </property>
        </configuration>
        """);
    Run run = doctor(sound());
    assertTrue(run.out().contains("MapReduce does not use S3A's committers"), run.out());
    assertTrue(run.out().contains("(mapred-site.xml, line 2)"), run.out());
  }

  @Test
  void buffersThatOutgrowAContainerAreSaid() throws IOException {
    Map<String, String> conf = sound();
    conf.put("fs.s3a.fast.upload.buffer", "bytebuffer");
    conf.put("mapreduce.map.memory.mb", "1024");
    conf.put("fs.s3a.multipart.size", "512M");
    Run run = doctor(conf);
    assertTrue(run.out().replaceAll("\\s+", " ").contains("can run out of memory"), run.out());
  }

  @Test
  void aBucketsOwnSettingsWin() throws IOException {
    Map<String, String> conf = sound();
    conf.put("fs.s3a.bucket.data.connection.maximum", "10");
    conf.put("fs.s3a.bucket.other.committer.name", "file");
    Run run = doctor(conf);
    assertTrue(
        run.out().contains("fs.s3a.connection.maximum = 10 (fs.s3a.bucket.data.connection.maximum"),
        run.out());
    assertFalse(run.out().contains("Jobs commit by renaming"), run.out());
  }

  @Test
  void keysThatEverybodyCanReadAreSaid() throws IOException {
    Map<String, String> conf = sound();
    Run closed = doctor(conf);
    assertFalse(closed.out().contains("Every user of this machine"), closed.out());
    Path open = Files.createDirectory(folder.resolve("open"));
    Files.copy(folder.resolve("core-site.xml"), open.resolve("core-site.xml"));
    Files.setPosixFilePermissions(
        open.resolve("core-site.xml"), PosixFilePermissions.fromString("rw-r--r--"));
    Run run = Run.of("s3a", "doctor", "--conf-dir", open.toString(), "s3a://data/");
    assertTrue(run.out().contains("Every user of this machine"), run.out());
    assertFalse((run.out() + run.err()).contains("ACCESSKEY"), run.out());
  }

  @Test
  void jsonHasTheSame() throws IOException {
    Run run = doctor(sound(), "--json", "-");
    assertTrue(run.out().contains("\"key\" : \"fs.s3a.endpoint\""), run.out());
    assertTrue(run.out().contains("\"topic\" : \"connection\""), run.out());
    assertTrue(run.out().contains("\"it could only fail, too\""), run.out());
  }

  @ParameterizedTest
  @CsvSource({"data", "s3://data/", "s3a://data/folder", "s3a://me:hunter2@data/", "s3a:///"})
  void otherThanABucketIsWrongUse(String bucket) {
    Run run = Run.of("s3a", "doctor", "--conf-dir", folder.toString(), bucket);
    assertEquals(ExitCodes.WRONG_USE, run.code(), run.out());
    assertTrue(run.err().contains("is no bucket: expected one such as s3a://bucket/"), run.err());
    assertFalse(run.err().contains("hunter2"), run.err());
  }

  @Test
  void aFolderWithoutFilesIsWrongUse() {
    Run run = Run.of("s3a", "doctor", "--conf-dir", folder.toString(), "s3a://data/");
    assertEquals(ExitCodes.WRONG_USE, run.code());
    assertTrue(run.err().contains("holds no core-site.xml"), run.err());
  }
}
