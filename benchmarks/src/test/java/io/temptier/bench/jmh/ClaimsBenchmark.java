// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.jmh;

import io.temptier.lab.testbed.Folders;
import io.temptier.tier.claim.Claim;
import io.temptier.tier.claim.Claims;
import io.temptier.tier.claim.Outstanding;
import io.temptier.tier.marker.NodeMarker;
import io.temptier.tier.os.ProcessTable;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/**
 * The claims on one dir, among those of another process that runs. Stock Hadoop has nothing of the
 * kind.
 */
// JMH fills in the fields after construction.
@SuppressWarnings("NullAway.Init")
public class ClaimsBenchmark extends TierBenchmark {
  private static final String APPLICATION = "application_1700000000000_0001";
  private static final long BYTES = 1L << 20;
  private static final long TOTAL_BYTES = 1L << 40;

  /** Processes of a busy node, which write the files. */
  private static final int PROCESSES = 40;

  /** Files that others write: none, as many as on a busy node, and far more. */
  @Param({"0", "100", "1000"})
  public int others;

  private Path root;
  private Claims claims;

  /** Claims in the name of the process that started this one. */
  @Setup
  public void makeOthers() throws IOException {
    root = Files.createTempDirectory("temptier-jmh");
    Path folder = Files.createDirectories(NodeMarker.claims(root));
    ProcessTable processes = new ProcessTable(Path.of("/proc"));
    ProcessTable.Owner other =
        ProcessHandle.current()
            .parent()
            .map(parent -> processes.owner(parent.pid()))
            .orElseThrow(() -> new IOException("The process that started this one is not visible"));
    int ledgers = Math.min(others, PROCESSES);
    for (int i = 0; i < ledgers; i++) {
      String name = other.pid() + "-" + other.startTicks() + "-0-" + APPLICATION + "-" + i;
      try (RandomAccessFile ledger = new RandomAccessFile(folder.resolve(name).toFile(), "rw")) {
        ledger.setLength(BYTES * others / ledgers);
      }
    }
    claims = new Claims(folder, processes, System::currentTimeMillis);
    if (look().count() != ledgers) {
      throw new IOException(look() + " where " + ledgers + " ledgers are in " + folder);
    }
  }

  @TearDown
  public void removeOthers() throws IOException {
    claims.drop();
    Folders.delete(root);
  }

  @Benchmark
  public boolean makeAndRelease() {
    Optional<Claim> claim = claims.claim(BYTES);
    claim.ifPresent(Claim::release);
    return claim.isPresent();
  }

  @Benchmark
  public Outstanding look() {
    return claims.outstanding(TOTAL_BYTES, Long.MAX_VALUE, 0);
  }

  /** All three, as placement does where room is scarce. */
  @Benchmark
  public Outstanding makeLookAndRelease() {
    Optional<Claim> claim = claims.claim(BYTES);
    Outstanding outstanding = look();
    claim.ifPresent(Claim::release);
    return outstanding;
  }
}
