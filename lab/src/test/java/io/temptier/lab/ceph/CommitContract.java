// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.ceph;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.s3a.profile.Committer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What of a job's output S3A's committers let be seen, and when. */
interface CommitContract extends ContractFolder {
  @ParameterizedTest
  @EnumSource(Committer.class)
  default void onlyWhatTasksCommittedIsThereAndOnlyAfterTheJob(Committer committer)
      throws Exception {
    Configuration conf = new Configuration(fs().getConf());
    conf.set("fs.s3a.committer.name", committer.label());
    // Else the directory committer adds the job to the names.
    conf.set("fs.s3a.committer.staging.unique-filenames", "false");
    Path out = path("out");
    CommittedJob job = new CommittedJob(conf, out);
    job.begin();
    job.task(0, part(0, 100), true);
    job.task(1, part(100, 6 * 100), true);
    job.task(2, part(0, 5), false);
    assertEquals(List.of(), parts(out), "before the job commits");
    job.commit();
    assertEquals(List.of("part-0", "part-1"), parts(out));
    assertArrayEquals(part(100, 600), read(new Path(out, "part-1")));
    assertTrue(read(new Path(out, "_SUCCESS")).length > 0, "the committer's own note");
    CommittedJob given = new CommittedJob(conf, path("given-up"));
    given.begin();
    given.task(0, part(0, 100), true);
    given.abort();
    assertEquals(List.of(), parts(path("given-up")));
  }

  private List<String> parts(Path folder) throws IOException {
    List<String> names = new ArrayList<>();
    if (fs().exists(folder)) {
      for (FileStatus status : fs().listStatus(folder)) {
        if (status.getPath().getName().startsWith("part-")) {
          names.add(status.getPath().getName());
        }
      }
    }
    return names;
  }
}
