// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.s3a.doctor;

import io.temptier.cli.doctor.Paste;
import io.temptier.tier.Finding;
import io.temptier.tier.Finding.Severity;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;

/** Whether a reader hears of it when its file is replaced while it reads. */
final class OverwriteCheck implements StoreCheck {
  private static final int BYTES = 3 << 20;

  @Override
  public Topic topic() {
    return Topic.READS;
  }

  @Override
  public String question() {
    return "replace a file while it is read";
  }

  @Override
  public List<Finding> check(Visit visit) throws IOException {
    Path file = visit.scratch("replaced");
    byte[] bytes = new byte[BYTES];
    visit.write(visit.fs(), file, bytes);
    if (!(visit.fs().getFileStatus(file) instanceof org.apache.hadoop.fs.EtagSource source)
        || source.getEtag() == null) {
      return List.of(
          new Finding(
              Severity.WARNING,
              "etag",
              "none",
              "the store's answer",
              "Objects have no etag: nobody notices when one is replaced.",
              "Look at proxies between here and the gateway."));
    }
    try (FSDataInputStream in = visit.fs().open(file)) {
      in.readFully(0, new byte[1]);
      Arrays.fill(bytes, (byte) 1);
      visit.write(visit.fs(), file, bytes);
      in.readFully(BYTES - 1, new byte[1]);
      in.readFully(BYTES / 2, new byte[1]);
    } catch (IOException e) {
      Symptom symptom = Symptom.of(e);
      if (symptom != null && symptom.ends()) {
        throw e;
      }
      // As it should be.
      return List.of();
    }
    return List.of(
        visit
            .subject()
            .finding(
                Severity.WARNING,
                Keys.STREAM,
                "A file was replaced while it was read, and the reader got parts of both: a job"
                    + " that reads what another writes takes it for data.",
                Paste.into(Subject.CORE_SITE, Keys.STREAM, "classic")));
  }
}
