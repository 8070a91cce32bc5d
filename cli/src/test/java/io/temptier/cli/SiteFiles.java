// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli;

import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.Reserve;
import io.temptier.tier.TierLayout;
import io.temptier.tier.marker.NodeMarker;
import io.temptier.tier.marker.NodeTiers;
import io.temptier.tier.marker.TierSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Files such as {@code core-site.xml}; each property has a line, the first is on line 2. */
public final class SiteFiles {
  private SiteFiles() {}

  public static Path write(Path file, String... keysAndValues) throws IOException {
    Map<String, String> conf = new LinkedHashMap<>();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      conf.put(keysAndValues[i], keysAndValues[i + 1]);
    }
    return write(file, conf);
  }

  public static Path write(Path file, Map<String, String> conf) throws IOException {
    StringBuilder xml = new StringBuilder("<configuration>\n");
    conf.forEach((key, value) -> xml.append(property(key, value)).append('\n'));
    return Files.writeString(file, xml + "</configuration>\n");
  }

  /** Marks local dirs as those of a node with TempTier, with a tier for each medium. */
  public static void mark(LocalDir... dirs) throws IOException {
    List<LocalDir> all = List.of(dirs);
    for (LocalDir dir : all) {
      NodeMarker.write(
          dir.path(),
          NodeTiers.of(
              TierLayout.of(all, List.of(Medium.values()), medium -> Reserve.DEFAULT),
              TierSettings.DEFAULT));
    }
  }

  public static LocalDir dir(Path path, Medium medium) {
    return LocalDir.of(path, medium, LocalDir.NO_CAP, "test");
  }

  public static String property(String key, String value) {
    return "<property><name>" + key + "</name><value>" + value + "</value></property>";
  }
}
