// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.ceph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.temptier.cli.ExitCodes;
import io.temptier.fixtures.Eventually;
import io.temptier.fixtures.NeedsCeph;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The same on real gateways, and what is Ceph's own. */
@NeedsCeph
class StoreDoctorOnCephIT extends StoreDoctorIT {
  private static final String TORN = "torn";

  @Override
  TestStore newStore() {
    return new CephFixture(2);
  }

  private CephCluster ceph() {
    return ((CephFixture) store).cluster();
  }

  @BeforeAll
  void ruleAborts() throws IOException {
    new SoundSetUp(ceph(), owner).ruleAborts(BUCKET);
  }

  @Test
  void nothingIsWrittenWhenNothingMayBe() throws IOException {
    S3Account reader = ceph().newAccount("reader");
    Diagnosis refused = doctor(reader, BUCKET, Map.of());
    assertEquals(ExitCodes.FAILED, refused.code(), refused.text());
    refused.says("The store knows the user and forbids this: to write there needs s3:PutObject.");
    refused.says("(make an empty file; the store: status 403 AccessDenied, request tx");
    Diagnosis readOnly = doctor(reader, BUCKET, Map.of(), "--read-only");
    assertEquals(ExitCodes.FINE, readOnly.code(), readOnly.text());
    readOnly.says("Not asked, since it would write to make an empty file");
    Diagnosis unsigned =
        doctor(owner, BUCKET, Map.of("fs.s3a.s3.signing-algorithm", ""), "--read-only");
    unsigned.says("Not tried, since nothing was written.");
    assertEquals(List.of(), names(0));
  }

  @Test
  void theDefaultSignerIsNamedWithWhatToPaste() throws IOException {
    Diagnosis diagnosis = doctor(owner, BUCKET, Map.of("fs.s3a.s3.signing-algorithm", ""));
    assertEquals(ExitCodes.FAILED, diagnosis.code(), diagnosis.text());
    diagnosis.says("The store refuses uploads of 0 bytes");
    diagnosis.says(
        "<property><name>fs.s3a.s3.signing-algorithm</name>"
            + "<value>AWS4UnsignedPayloadSignerType</value></property>");
    assertEquals(List.of(), names(0));
  }

  @Test
  void whatCannotBeCopiedFromLocalIsNamedWithWhatToPaste() throws IOException {
    String key = "fs.s3a.optimized.copy.from.local.enabled";
    Diagnosis diagnosis = doctor(owner, BUCKET, Map.of(key, "true"));
    assertEquals(ExitCodes.FAILED, diagnosis.code(), diagnosis.text());
    diagnosis.says("ERROR " + key);
    diagnosis.says("a local file cannot be copied");
    diagnosis.says("<property><name>" + key + "</name><value>false</value></property>");
    assertEquals(List.of(), names(0));
  }

  @Test
  void aGatewayThatGoesDownInTheMiddleIsNamedAndWhatItKeeps() throws Exception {
    // Of its own: what a killed gateway was about to write can show up in lists for a while.
    store.makeBucket(TORN, PUBLIC);
    FutureTask<Diagnosis> asked = new FutureTask<>(() -> doctor(owner, TORN, Map.of()));
    new Thread(asked, "doctor").start();
    try {
      Eventually.holds(
          "the other gateway shows that it has begun to write",
          () -> {
            assertFalse(asked.isDone(), "it wrote nothing");
            return !names(1, TORN).isEmpty();
          });
      Gateways.kill(ceph(), 0);
      Diagnosis diagnosis = asked.get(10, TimeUnit.MINUTES);
      assertEquals(ExitCodes.FAILED, diagnosis.code(), diagnosis.text());
      diagnosis.says("ERROR fs.s3a.endpoint");
      diagnosis.says("It could not be removed");
      diagnosis.says("hadoop fs -rm -r -skipTrash s3a://torn/temptier-doctor-");
    } finally {
      Gateways.kill(ceph(), 0);
      Gateways.start(ceph(), 0);
    }
  }
}
