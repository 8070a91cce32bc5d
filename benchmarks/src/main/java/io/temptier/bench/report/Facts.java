// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.report;

import io.temptier.lab.cluster.HadoopRuntime;
import io.temptier.tier.text.Sizes;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** What a reader of the report needs to know of where it was made. */
public final class Facts {
  private Facts() {}

  public static Map<String, String> gather(HadoopRuntime runtime, Path work, String command)
      throws IOException {
    Map<String, String> facts = MachineFacts.of(command);
    facts.put("Hadoop", runtime.version());
    facts.put("Java of the cluster", runtime.javaVersion());
    FileStore store = Files.getFileStore(work);
    facts.put(
        "disk",
        "%s, %s, %s free"
            .formatted(
                store.type(),
                Sizes.format(store.getTotalSpace()),
                Sizes.format(store.getUsableSpace())));
    return facts;
  }
}
