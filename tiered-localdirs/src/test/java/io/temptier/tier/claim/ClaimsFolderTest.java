// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.claim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.temptier.tier.Layouts;
import io.temptier.tier.marker.NodeMarker;
import io.temptier.tier.os.Pid;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClaimsFolderTest extends ClaimsBed {
  private static final long GB = 1L << 30;

  private Path local(int mode) throws IOException {
    Path dir = Files.createDirectories(temp.resolve("spark"));
    Files.setAttribute(dir, "unix:mode", mode);
    return dir;
  }

  @ParameterizedTest
  @CsvSource({"0700, 0755", "0755, 0755", "01777, 01777", "0777, 0", "0775, 0"})
  void isForWhomTheDirIs(String dirMode, String folderMode) throws IOException {
    Path dir = local(Integer.parseInt(dirMode, 8));
    new ClaimsFolder(dir, clock::millis).keep();
    Path claims = NodeMarker.claims(dir);
    int mode = Files.exists(claims) ? (Integer) Files.getAttribute(claims, "unix:mode") & 07777 : 0;
    assertEquals(Integer.parseInt(folderMode, 8), mode);
  }

  /** As pods see each other: the pid of one means nothing to another, and its lease counts. */
  @Test
  void hasProcessesOfOtherPidNamespacesCountEachOther() throws IOException {
    Path dir = local(0755);
    new ClaimsFolder(dir, clock::millis).keep();
    folder = NodeMarker.claims(dir);
    Path pod = Files.createDirectories(temp.resolve("pod"));
    Layouts.process(pod, Pid.self(), 'S', 10);
    Claims other = Layouts.claims(folder, pod, clock);
    Claim claim = other.claim(GB).orElseThrow();
    assertEquals(GB, claims().ofLiving(100 * GB, false).bytes());
    clock.advance(Duration.ofMillis(2 * Claims.LEASE_MILLIS));
    assertEquals(0, claims().ofLiving(100 * GB, false).bytes(), "its pod is gone");
    claim.release();
  }

  @Test
  void isSweptButForLedgersOfAnybody() throws IOException {
    Path dir = local(01777);
    ClaimsFolder claims = new ClaimsFolder(dir, clock::millis);
    claims.keep();
    folder = NodeMarker.claims(dir);
    Files.createFile(folder.resolve("junk"));
    Path ledger = plant("7-70-0-app_1-x", GB);
    claims.keep();
    assertEquals(Set.of(String.valueOf(ledger.getFileName())), entries());
  }

  @Test
  void staysAsItIsWhereANodeManagerKeepsIt() throws IOException {
    Path dir = local(0755);
    Files.createFile(Files.createDirectory(dir.resolve(NodeMarker.DIR)).resolve(NodeMarker.LAYOUT));
    new ClaimsFolder(dir, clock::millis).keep();
    assertFalse(Files.exists(NodeMarker.claims(dir)));
  }
}
