// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SiteFileTest {
  @TempDir private Path dir;

  @Test
  void hadoopReadsBackEveryCharacter() throws IOException {
    String awkward = "a<b> & \"c\" ÿ € 𝄞";
    Path file = dir.resolve("site.xml");
    SiteFile.write(file, Map.of("b.key", awkward, "a.key", "1"));
    Configuration read = new Configuration(false);
    read.addResource(file.toUri().toURL());
    assertEquals(awkward, read.get("b.key"));
    assertEquals("1", read.get("a.key"));
  }
}
