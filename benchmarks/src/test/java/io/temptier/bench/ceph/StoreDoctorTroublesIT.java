// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.ceph;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.temptier.cli.ExitCodes;
import io.temptier.fixtures.LoopDisk;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What {@code temptier s3a doctor} says of troubles around a gateway: TLS, clocks, full disks. */
class StoreDoctorTroublesIT {
  @RegisterExtension static final CephFixture CEPH = new CephFixture(1);

  private static final String BUCKET = "bucket";
  private static final String ENDPOINT = "fs.s3a.endpoint";

  @TempDir private static Path shared;

  private static CephCluster ceph;
  private static S3Account owner;
  private static SelfSigned certificate;
  private static URI tls;

  @TempDir private Path dir;

  @BeforeAll
  static void start() throws Exception {
    ceph = CEPH.cluster();
    owner = ceph.newAccount("owner");
    ceph.makeBucket(owner, BUCKET);
    certificate = SelfSigned.make(shared);
    tls = ceph.startTlsGateway(certificate.pem());
  }

  private static Map<String, String> with(Map<String, String> others) {
    Map<String, String> conf = ceph.s3aProperties(owner);
    conf.putAll(others);
    return conf;
  }

  private static Map<String, String> at(URI endpoint) {
    return with(
        Map.of(
            ENDPOINT,
            endpoint.toString(),
            "fs.s3a.connection.ssl.enabled",
            Boolean.toString(endpoint.getScheme().equals("https"))));
  }

  @Test
  void httpToAGatewayOfHttpsIsNamed() throws IOException {
    URI plain = URI.create(tls.toString().replace("https:", "http:"));
    Diagnosis diagnosis = Diagnosis.of(dir, at(plain), BUCKET);
    diagnosis.endsWith(ExitCodes.FAILED);
    diagnosis.says("ERROR " + ENDPOINT);
    diagnosis.says("The gateway speaks https on this port, and the endpoint is http");
  }

  @Test
  void aCertificateThatNobodyTrustsIsNamed() throws IOException {
    Diagnosis diagnosis = Diagnosis.of(dir, at(tls), BUCKET);
    diagnosis.endsWith(ExitCodes.FAILED);
    diagnosis.says("The gateway's certificate is not trusted here");
    diagnosis.says("keytool -importcert");
  }

  @Test
  void overTlsAllIsWellOnceTheCertificateIsTrusted() throws Exception {
    Diagnosis diagnosis =
        Diagnosis.ofOtherJvm(
            dir, at(tls), BUCKET, "-Djavax.net.ssl.trustStore=" + certificate.trustStore());
    diagnosis.endsWith(ExitCodes.FINE);
    diagnosis.says("Connection: ok");
    diagnosis.says("Writes: ok");
    diagnosis.says("Ready: no errors");
  }

  @Test
  void aClockThatIsOffIsNamedWithHowFar() throws IOException {
    try (OtherClock late = new OtherClock(ceph.gateways().get(0), Duration.ofMinutes(-5))) {
      Diagnosis diagnosis = Diagnosis.of(dir, at(late.uri()), BUCKET, "--read-only");
      diagnosis.endsWith(ExitCodes.FINE);
      diagnosis.says("WARNING clock = 30");
      diagnosis.says("s ahead of the store");
    }
    try (OtherClock early = new OtherClock(ceph.gateways().get(0), Duration.ofMinutes(20))) {
      Diagnosis diagnosis = Diagnosis.of(dir, at(early.uri()), BUCKET, "--read-only");
      diagnosis.endsWith(ExitCodes.FAILED);
      diagnosis.says("ERROR clock");
      diagnosis.says("behind the store");
      diagnosis.says("RequestTimeTooSkewed");
    }
  }

  @Test
  void aFullBufferDirIsNamedWithWhatIsFree() throws IOException {
    try (LoopDisk disk = LoopDisk.tryCreate(dir, 64 << 20)) {
      assumeTrue(disk != null);
      Path mount = Objects.requireNonNull(disk).path();
      Path buffers = Files.createDirectories(mount.resolve("s3a"));
      long free = Files.getFileStore(buffers).getUsableSpace();
      Files.write(mount.resolve("others"), new byte[(int) (free - (2 << 20))]);
      Diagnosis diagnosis =
          Diagnosis.of(dir, with(Map.of("fs.s3a.buffer.dir", buffers.toString())), BUCKET);
      diagnosis.endsWith(ExitCodes.FAILED);
      diagnosis.says("ERROR fs.s3a.buffer.dir");
      diagnosis.says("are free, and one file takes up to 320 MiB");
      diagnosis.says("Make room there");
    }
  }
}
