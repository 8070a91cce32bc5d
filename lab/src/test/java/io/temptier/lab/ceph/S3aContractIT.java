// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.ceph;

import io.temptier.s3a.profile.Workload;
import java.io.IOException;
import java.net.URI;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What Hadoop's contract tests ask of a file system (create, open, seek, delete, rename, mkdirs,
 * vectored reads, committers), on a real gateway with each profile; without Ceph on s3proxy. Told
 * anew, since the test jar of hadoop-aws is not published.
 */
@ParameterizedClass
@EnumSource(Workload.class)
class S3aContractIT implements ReadContract, NameContract, CommitContract {
  @RegisterExtension static final StoreFixture STORE = new StoreFixture(1);

  private static final String BUCKET = "s3a://contract/";
  private static final byte[] DATA = new byte[3 * MIB + 7];

  private final Workload workload;

  private FileSystem fs;
  private Path base;

  S3aContractIT(Workload workload) {
    this.workload = workload;
  }

  @BeforeAll
  static void makeBucket() throws IOException {
    new Random(1).nextBytes(DATA);
    STORE.makeBucket("contract", "private");
  }

  @BeforeEach
  void open(TestInfo test) throws IOException {
    // Committers take it from the cache.
    fs = FileSystem.get(URI.create(BUCKET), conf());
    base = new Path(BUCKET + workload + "/" + test.getDisplayName().replaceAll("\\W", ""));
  }

  @AfterEach
  void close() throws IOException {
    fs.close();
  }

  @Override
  public FileSystem fs() {
    return fs;
  }

  @Override
  public Path base() {
    return base;
  }

  @Override
  public byte[] data() {
    return DATA;
  }

  private Configuration conf() {
    Configuration conf = new Configuration();
    TestbedFiles.properties(workload, STORE.gateways(), STORE.owner()).forEach(conf::set);
    // So that small files are made of parts, and small folders listed in pages.
    conf.set("fs.s3a.multipart.size", "5M");
    conf.set("fs.s3a.multipart.threshold", "5M");
    conf.set("fs.s3a.paging.maximum", "5");
    return conf;
  }
}
