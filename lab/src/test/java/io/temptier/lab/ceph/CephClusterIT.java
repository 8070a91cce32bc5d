// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.ceph;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.temptier.fixtures.NeedsCeph;
import io.temptier.lab.testbed.CephProcess;
import io.temptier.lab.testbed.TestbedHome;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.Test;

/** A real Ceph: used through S3A, and gone without a trace. */
@NeedsCeph
class CephClusterIT {
  private static final Path WORK = Path.of("target/ceph-cluster-it").toAbsolutePath();

  @Test
  void keepsWhatS3aWrites() throws IOException {
    Path folder;
    CephSpec spec = CephFixture.spec(2, 2);
    try (TestbedHome home = TestbedHome.create(WORK);
        CephCluster ceph = CephCluster.start(home.path(), spec, state -> {})) {
      folder = home.path();
      assertEquals(1 + 2 + 2, CephProcess.at(folder).size(), CephProcess.at(folder)::toString);
      S3Account account = ceph.newAccount("tester");
      ceph.makeBucket(account, "bucket");
      byte[] written = new byte[6 << 20];
      new Random(1).nextBytes(written);
      // What one gateway took, the other has; an empty file too, which needs the right signer.
      write(s3a(ceph, account, 0), Map.of("large", written, "empty", new byte[0]));
      Gateways.kill(ceph, 0);
      try (FileSystem fs = s3a(ceph, account, 1);
          FSDataInputStream large = fs.open(path("large"))) {
        assertArrayEquals(written, large.readAllBytes());
        assertEquals(0, fs.getFileStatus(path("empty")).getLen());
      }
      Gateways.start(ceph, 0);
      try (FileSystem fs = s3a(ceph, account, 0)) {
        assertEquals(2, fs.listStatus(path("")).length);
      }
    }
    assertEquals(List.of(), CephProcess.at(folder));
    assertFalse(Files.exists(folder), folder::toString);
  }

  private static FileSystem s3a(CephCluster ceph, S3Account account, int gateway)
      throws IOException {
    Configuration conf = new Configuration();
    TestbedFiles.properties(List.of(ceph.gateways().get(gateway)), account).forEach(conf::set);
    return FileSystem.newInstance(URI.create("s3a://bucket/"), conf);
  }

  private static void write(FileSystem s3a, Map<String, byte[]> files) throws IOException {
    try (FileSystem fs = s3a) {
      for (Map.Entry<String, byte[]> file : files.entrySet()) {
        try (FSDataOutputStream out = fs.create(path(file.getKey()), false)) {
          out.write(file.getValue());
        }
      }
    }
  }

  private static org.apache.hadoop.fs.Path path(String name) {
    return new org.apache.hadoop.fs.Path("s3a://bucket/" + name);
  }
}
