// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.ceph;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.temptier.fixtures.Needs.NeedsCeph;
import io.temptier.lab.cluster.LoopbackPorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A bucket of another zonegroup: a real gateway of a real second one sends on to the first. */
@NeedsCeph
class StoreDoctorZonegroupIT {
  @RegisterExtension static final SoundSetUp SOUND = new SoundSetUp(1);

  private static final String[] WEST = {
    "--rgw-realm=all", "--rgw-zonegroup=west", "--rgw-zone=west"
  };

  private static String administer(String command, String... options) throws IOException {
    return SOUND
        .cluster()
        .administer(
            Stream.concat(Stream.of(command.split(" ")), Stream.of(options))
                .toArray(String[]::new));
  }

  /** The other zonegroup has users and buckets by their metadata, as a sync gives it. */
  private void copy(String key) throws IOException {
    String read = administer("metadata get " + key);
    Path file =
        Files.writeString(SOUND.dir().resolve("metadata"), read.substring(read.indexOf('{')));
    String put = "metadata put " + key + " --yes-i-really-mean-it --infile=" + file;
    administer(put, WEST);
  }

  private static String instance() throws IOException {
    String listed = administer("metadata list bucket.instance");
    JsonNode all = new ObjectMapper().readTree(listed.substring(listed.indexOf('[')));
    for (JsonNode one : all) {
      if (one.asText().startsWith(SoundSetUp.BUCKET + ":")) {
        return one.asText();
      }
    }
    throw new IOException("no instance of the bucket: " + listed);
  }

  @Test
  void aBucketOfAnotherZonegroupIsNamed() throws IOException {
    int port = new LoopbackPorts().next();
    String west = "http://127.0.0.1:" + port;
    String first = "--endpoints=" + SOUND.gateway(0);
    String second = "--endpoints=" + west;
    administer("realm create --rgw-realm=all --default");
    administer(
        "zonegroup modify --rgw-zonegroup=default --rgw-realm=all --master --default", first);
    administer(
        "zone modify --rgw-zonegroup=default --rgw-zone=default --rgw-realm=all --master --default",
        first);
    administer("zonegroup create --rgw-zonegroup=west --rgw-realm=all", second);
    administer("zone create --rgw-zonegroup=west --rgw-zone=west --rgw-realm=all", second);
    administer("period update --commit --rgw-realm=all");
    for (String key :
        List.of("user:owner", "bucket:" + SoundSetUp.BUCKET, "bucket.instance:" + instance())) {
      copy(key);
    }
    SOUND
        .doctor(SOUND.at(SOUND.startAt(port, WEST)))
        .failed(
            "ERROR fs.s3a.endpoint = " + west,
            "The bucket is in another zonegroup than this gateway's",
            "the store: status 301",
            "radosgw-admin bucket stats --bucket=bucket");
  }
}
