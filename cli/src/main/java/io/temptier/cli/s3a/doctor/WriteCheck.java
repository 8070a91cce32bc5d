// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.s3a.doctor;

import io.temptier.tier.Finding;
import io.temptier.tier.Finding.Severity;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;

/** Whether what is written can be read back at once, under an odd name. */
final class WriteCheck implements StoreCheck {
  @Override
  public Topic topic() {
    return Topic.WRITES;
  }

  @Override
  public String question() {
    return "write a file and read it back";
  }

  @Override
  public List<Finding> check(Visit visit) throws IOException {
    Path file = visit.scratch("a b+c%20=\u00e9");
    byte[] written = "written by temptier s3a doctor\n".getBytes(StandardCharsets.UTF_8);
    visit.write(visit.fs(), file, written);
    byte[] read = new byte[written.length];
    try (FSDataInputStream in = visit.fs().open(file)) {
      in.readFully(read);
    }
    return Arrays.equals(written, read)
        ? List.of()
        : List.of(
            new Finding(
                Severity.ERROR,
                "data",
                file.getName(),
                "the store's answer",
                "What is read is not what was written.",
                "Look for caches and proxies between here and the gateway."));
  }
}
