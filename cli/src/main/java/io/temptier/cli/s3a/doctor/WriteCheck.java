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
