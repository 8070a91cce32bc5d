// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.temptier.fixtures.Accounts;
import io.temptier.fixtures.Needs.NeedsRoot;
import io.temptier.fixtures.Programs;
import io.temptier.fixtures.Texts;
import io.temptier.hadoop.allocator.SeamProcess;
import io.temptier.hadoop.metrics.PlacementTally;
import io.temptier.hadoop.metrics.TierCounter;
import io.temptier.testing.SharedNode;
import io.temptier.tier.Medium;
import io.temptier.tier.Reserve;
import io.temptier.tier.journal.PlacementJournal;
import io.temptier.tier.marker.NodeMarker;
import io.temptier.tier.marker.TierSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What one user of a node can do to another, and to the NodeManager, by real processes. */
@NeedsRoot
@Timeout(600)
class TwoUsersTest {
  private static final String JOURNAL = PlacementJournal.APPLICATION_FILE;

  @TempDir Path temp;
  @AutoClose private SharedNode node;

  @BeforeEach
  void makeNode() throws IOException {
    Reserve reserve = Reserve.ofBytes(1);
    Path fast = temp.resolve("fast");
    node = new SharedNode(temp, fast, temp.resolve("slow"), reserve, TierSettings.DEFAULT);
  }

  /** A NodeManager's reading of its users' journals. */
  public static final class Scan {
    public static void main(String[] args) throws Exception {
      Map<String, String> users = new HashMap<>();
      for (int i = 1; i < args.length; i += 2) {
        users.put(args[i], args[i + 1]);
      }
      PlacementTally tally = new PlacementTally();
      Duration patience = Duration.ofMinutes(1);
      try (JournalScanner scanner =
          new JournalScanner(
              NodeMarker.read(Path.of(args[0])).orElseThrow().layout(),
              () -> users,
              tally,
              record -> {},
              0,
              patience)) {
        scanner.scan();
        scanner.scan();
      }
      System.out.println("NVME " + tally.get(TierCounter.FILES_PLACED, Medium.NVME));
      System.out.println("IGNORED " + tally.get(TierCounter.JOURNAL_LINES_IGNORED));
      System.exit(0);
    }
  }

  private String task(String user) throws Exception {
    return Programs.run(node.java(user, SeamProcess.in(node.appDirs(user))));
  }

  private String scan() throws Exception {
    String said =
        Programs.run(
            node.java(
                node.nodeUser,
                List.of(
                    Scan.class.getName(),
                    node.fast.toString(),
                    node.application(node.ann),
                    node.ann,
                    node.application(node.bob),
                    node.bob)));
    // Hadoop 3.2 brings a second binding of SLF4J, which tells of it.
    return said.replaceAll("(?m)^SLF4J: .*\\R", "");
  }

  private void may(String user, String script) throws Exception {
    Programs.run(Accounts.as(user, List.of("sh", "-c", script)));
  }

  private void mayNot(String user, String script) {
    assertThrows(IOException.class, () -> may(user, script), () -> user + ": " + script);
  }

  private void assertPlacedFast(String user) throws Exception {
    Texts.has(task(user), "PLACED " + node.appDir(node.fast, user), "COUNTED temptier-nvme 1 ");
  }

  /** Stock needs no thread to place a file, so for want of one no task may fail. */
  @Test
  void aTaskThatMayHaveNoMoreThreadsPlacesItsFiles() throws Exception {
    List<String> program = new ArrayList<>(List.of("-D" + SeamProcess.NO_THREADS + "=true"));
    program.addAll(SeamProcess.in(node.appDirs(node.ann)));
    List<String> line = new ArrayList<>(List.of("prlimit", "--nproc=64"));
    line.addAll(node.java(node.ann, program));
    Texts.has(Programs.run(line), "NO MORE THREADS", "PLACED " + node.appDir(node.fast, node.ann));
  }

  @Test
  void aJournalIsItsUsersAndTheNodeManagersToRead() throws Exception {
    assertPlacedFast(node.ann);
    Path journal = node.appDir(node.fast, node.ann).resolve(JOURNAL);
    assertEquals(0640, (Integer) Files.getAttribute(journal, "unix:mode") & 07777);
    may(node.ann, "cat " + journal);
    mayNot(node.bob, "cat " + journal);
    mayNot(node.bob, "echo x >> " + journal);
    mayNot(node.bob, "mv " + journal + " " + journal + ".old");
    mayNot(node.nodeUser, "echo x >> " + journal);
    assertEquals("NVME 1\nIGNORED 0", scan());
  }

  @Test
  void noUserChangesWhatTheNodeManagerPublishes() throws Exception {
    Path ours = node.fast.resolve(NodeMarker.DIR);
    may(node.nodeUser, "echo x > " + ours + "/" + NodeMarker.STATE);
    for (String name : List.of(NodeMarker.LAYOUT, NodeMarker.STATE, NodeMarker.CLAIMS)) {
      mayNot(node.bob, "mv " + ours + "/" + name + " " + ours + "/away");
      mayNot(node.bob, "rm -rf " + ours + "/" + name);
    }
    mayNot(node.bob, "echo x > " + ours + "/" + NodeMarker.LAYOUT);
    mayNot(node.bob, "touch " + ours + "/" + NodeMarker.DRAIN);
    mayNot(node.bob, "touch " + ours + "/" + NodeMarker.DEVICES);
    mayNot(node.bob, "touch " + ours + "/" + NodeMarker.WATCH);
    mayNot(node.bob, "mv " + ours + " " + ours + "-away");
    assertPlacedFast(node.ann);
  }

  @Test
  void aMarkerOfAUsersOwnLeadsNobody() throws Exception {
    String layout = NodeMarker.DIR + "/" + NodeMarker.LAYOUT;
    for (Path root : List.of(node.fast, node.slow)) {
      for (String folder :
          List.of("usercache/" + node.bob, "usercache/" + node.bob + "/appcache")) {
        Path planted = root.resolve(folder).resolve(NodeMarker.DIR);
        may(node.bob, "mkdir " + planted);
        // All files to the slow dir, says his.
        String swapped = "s,\\[NVME\\],[HDD],;s,NVME,DISK,";
        may(
            node.bob,
            "sed '" + swapped + "' " + root.resolve(layout) + " > " + planted + "/layout");
      }
    }
    assertPlacedFast(node.bob);
    assertPlacedFast(node.ann);
  }

  /** Where an operator let anybody write to a local dir. */
  @Test
  void aMarkerThatAUserPutIntoALocalDirIsNotFollowed() throws Exception {
    for (Path root : List.of(node.fast, node.slow)) {
      Files.setAttribute(root, "unix:mode", 0777);
      may(node.bob, "cd " + root + " && mv .temptier away && cp -r away .temptier");
    }
    String said = task(node.ann);
    Texts.has(said, "PLACED ", "it belongs to uid " + Accounts.uid(node.bob));
    Texts.lacks(said, "COUNTED");
  }
}
