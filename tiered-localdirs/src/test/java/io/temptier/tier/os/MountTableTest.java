// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.os;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the kernel writes for mount points with odd names. */
class MountTableTest {
  @TempDir Path temp;

  @ParameterizedTest
  @CsvSource({
    "'/mnt/odd\rname', '/mnt/odd\rname'",
    "/mnt/odd\\015name, '/mnt/odd\rname'",
    "/mnt/tab\\011and\\040space\\134slash, '/mnt/tab\tand space\\slash'",
    "/mnt/two\\012lines, '/mnt/two\nlines'",
    "/mnt/no\\888octal\\777, /mnt/no\\888octal\\777"
  })
  void theMountOfAPathIsFoundWhateverItsName(String written, String point) throws IOException {
    Path mountinfo = temp.resolve("mountinfo");
    String text =
        """
        1 0 8:1 / / rw - ext4 /dev/sda1 rw
        36 1 8:17 / %s rw,relatime shared:1 - ext4 /dev/sdb1 rw
        37 1 8:33 / /mnt/plain rw,relatime shared:2 - ext4 /dev/mapper/caf\\303\\251 rw
        """
            .formatted(written);
    Files.write(mountinfo, text.getBytes(StandardCharsets.UTF_8));
    MountTable mounts = MountTable.read(mountinfo);
    MountTable.Mount found = mounts.of(Path.of(point, "yarn")).orElseThrow();
    assertEquals("8:17", found.device(), text);
    assertEquals(Path.of(point), found.mountPoint());
    MountTable.Mount plain = mounts.of(Path.of("/mnt/plain/yarn")).orElseThrow();
    assertEquals("8:33", plain.device(), text);
    assertEquals("/dev/mapper/caf\u00e9", plain.source());
  }

  @Test
  void whatDidNotChangeIsNotParsedAgain() throws IOException {
    Path mountinfo = temp.resolve("mountinfo");
    Files.writeString(mountinfo, "1 0 8:1 / / rw - ext4 /dev/sda1 rw\n");
    MountTable first = MountTable.read(mountinfo);
    assertSame(first, MountTable.read(mountinfo, first));
    Files.writeString(mountinfo, "1 0 8:2 / / rw - ext4 /dev/sda2 rw\n");
    MountTable second = MountTable.read(mountinfo, first);
    assertEquals("8:2", second.of(Path.of("/yarn")).orElseThrow().device());
  }
}
