// SPDX-License-Identifier: Apache-2.0
package io.temptier.testing;

import io.temptier.tier.Layouts;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.claim.Outstanding;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** Local dirs on disks that a test makes up, by a clock that it turns. */
public abstract class DiskBed {
  protected static final long GB = 1L << 30;
  protected static final long MB = 1L << 20;

  @TempDir protected Path temp;
  protected final FaultyDisk disk = new FaultyDisk();
  protected final ManualClock clock = new ManualClock();

  /** A new dir with a folder of claims, on a disk of its own that is so large and empty. */
  protected final LocalDir dir(String name, Medium medium, long totalBytes, long usableBytes)
      throws IOException {
    LocalDir dir = Layouts.dir(Layouts.root(temp.resolve(name)), medium);
    disk.set(dir.path(), totalBytes, usableBytes);
    return dir;
  }

  /** What is promised in a dir, as another process sees it. */
  protected final Outstanding promised(LocalDir dir) {
    return Layouts.claims(Layouts.claimsOf(dir.path()), Path.of("/proc"), clock)
        .outstanding(Long.MAX_VALUE, Long.MAX_VALUE, 0);
  }
}
