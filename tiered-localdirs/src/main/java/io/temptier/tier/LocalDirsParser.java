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
package io.temptier.tier;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads lists of local dirs in HDFS's tag syntax, with an optional cap: {@code
 * [NVME:200g]/nvme0/yarn,[DISK]/hdd0/yarn,/untagged}.
 */
public final class LocalDirsParser {
  private LocalDirsParser() {}

  /**
   * One entry of a list.
   *
   * @param path absolute and normalised
   * @param medium its tag, or empty when it has none
   * @param capBytes its cap, or {@link LocalDir#NO_CAP}
   */
  public record Entry(Path path, Optional<Medium> medium, long capBytes) {}

  /**
   * A list and what is wrong with it.
   *
   * @param entries the entries that could be read, in their order, each path once
   * @param findings the problems; with an ERROR among them, the list is not to be used
   */
  public record Parsed(List<Entry> entries, List<Finding> findings) {
    public Parsed {
      entries = List.copyOf(entries);
      findings = List.copyOf(findings);
    }
  }

  /**
   * Reads a list with tags, as in {@code temptier.local-dirs}. Never throws.
   *
   * @param key the property, for the findings
   * @param value its value
   * @param origin where the value came from, for the findings
   */
  public static Parsed parse(String key, String value, String origin) {
    return new Parsed(new ArrayList<>(), List.of());
  }
}
