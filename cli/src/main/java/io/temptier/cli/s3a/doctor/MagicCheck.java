/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.temptier.cli.s3a.doctor;

import io.temptier.tier.Finding;
import io.temptier.tier.Finding.Severity;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.s3a.S3AFileSystem;

/**
 * Whether the magic committer works: what a task writes below a magic path is uploaded, held back
 * unseen, and can be given up.
 */
final class MagicCheck implements StoreCheck {
  /** As the committer names a task's folder. */
  private static final String BASE = "out/__magic_job-doctor/tasks/attempt/__base/";

  @Override
  public Topic topic() {
    return Topic.WRITES;
  }

  @Override
  public String question() {
    return "write as the magic committer does";
  }

  @Override
  public List<Finding> check(Visit visit) throws IOException {
    if (!visit.subject().value(Keys.COMMITTER).equals("magic")
        || !visit.subject().conf().getBoolean(Keys.MAGIC, true)) {
      return List.of();
    }
    Path seen = visit.scratch("out/part-0");
    Path written = visit.scratch(BASE + "part-0");
    FileSystem fs = visit.fs();
    visit.write(fs, written, new byte[] {1});
    boolean early = fs.exists(seen);
    boolean pending = fs.exists(written.suffix(".pending"));
    long aborted = ((S3AFileSystem) fs).getS3AInternals().abortMultipartUploads(visit.scratch());
    return !early && pending && aborted == 1
        ? List.of()
        : List.of(
            visit
                .subject()
                .finding(
                    Severity.ERROR,
                    Keys.COMMITTER,
                    early
                        ? "What a task wrote is seen before its job commits."
                        : "What a task wrote is not held back for its job: "
                            + (pending ? aborted + " uploads wait" : "its note is missing")
                            + ".",
                    "Take the directory committer: temptier s3a profile --committer directory."));
  }
}
