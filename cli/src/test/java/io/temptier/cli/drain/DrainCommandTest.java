// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.drain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.cli.ExitCodes;
import io.temptier.cli.FakeNodes;
import io.temptier.cli.Run;
import io.temptier.cli.SiteFiles;
import io.temptier.fixtures.Needs.NeedsAllProcesses;
import io.temptier.tier.Medium;
import io.temptier.tier.marker.NodeMarker;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DrainCommandTest {
  private static final String APPLICATION = "application_1700000000000_0001";

  @RegisterExtension private final FakeNodes nodes = new FakeNodes();
  @TempDir Path temp;
  private Path nvme = Path.of("");
  private Path hdd = Path.of("");
  private Path output = Path.of("");

  @BeforeEach
  void aNodeThatRunsAJob() throws IOException {
    temp = temp.toRealPath();
    nvme = Files.createDirectories(temp.resolve("nvme0/yarn"));
    hdd = Files.createDirectories(temp.resolve("hdd0/yarn"));
    SiteFiles.mark(SiteFiles.dir(nvme, Medium.DISK), SiteFiles.dir(hdd, Medium.DISK));
    output = nvme.resolve("usercache/ann/appcache/" + APPLICATION + "/output/a/file.out");
    Files.createDirectories(output.resolveSibling("."));
    Files.write(output, new byte[3000]);
    Files.createSymbolicLink(output.resolveSibling("b.out"), hdd.resolve("b.out"));
  }

  /** By a NodeManager that drains these dirs. */
  private Run drain(String dir, String... more) throws IOException {
    return asked("[{'path':'NVME','draining':true},{'path':'HDD','draining':true}]", dir, more);
  }

  /** By a NodeManager that says that of its dirs. */
  private Run asked(String dirs, String dir, String... more) throws IOException {
    String told = dirs.replace('\'', '"').replace("NVME", nvme + "").replace("HDD", hdd + "");
    String node = nodes.node(Map.of("TempTierInfo", Map.of("Dirs", told)));
    return Run.of(List.of("drain", dir, "--jmx", node), more);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[{'path':'NVME','draining':false}] | does not see the mark",
        "[{'path':'/other'}] | has no such dir"
      })
  void aNodeManagerThatDoesNotHearIsNotBelievedToDrain(String dirs, String why) throws Exception {
    Files.delete(output);
    asked(dirs, nvme.toString()).ends(1).says(why).lacks("Safe to pull", "is drained from now on");
  }

  @Test
  void aNodeManagerThatDoesNotAnswerConfirmsNothing() throws Exception {
    Files.delete(output);
    Run.of("drain", nvme.toString(), "--jmx", "127.0.0.1:1")
        .ends(1)
        .says("may take new files", "No NodeManager answers")
        .lacks("Safe to pull");
  }

  @Test
  void applicationsAndProcessesHoldADirUntilTheyAreGone() throws Exception {
    Path library = nvme.resolve("filecache/10/job.jar");
    Files.createDirectories(library.resolveSibling("."));
    Files.write(library, new byte[10]);
    try (FileChannel open = FileChannel.open(library, StandardOpenOption.READ)) {
      Run run = drain("file://" + nvme);
      assertTrue(open.isOpen());
      run.failed();
      assertTrue(NodeMarker.draining(nvme), "a dir may be written as in YARN's property");
      run.says(
          "is drained from now on",
          APPLICATION + "      1       2.9",
          ProcessHandle.current().pid() + "  java",
          library.toString(),
          "Not safe to pull yet.");
    }
  }

  @Test
  void aProcessHoldsADirThatIsReachedByALink() throws Exception {
    Path disk = Files.move(nvme.getParent(), temp.resolve("disk3"));
    Files.createSymbolicLink(nvme.getParent(), disk);
    try (FileChannel open = FileChannel.open(output, StandardOpenOption.READ)) {
      DirUsers held =
          new DirUsers(nvme, List.of(), Path.of("/proc"), new AtomicLong(System.nanoTime()));
      assertTrue(open.isOpen());
      assertTrue(held.processes.toString().contains(disk.toString()), held.processes.toString());
    }
  }

  @Test
  @NeedsAllProcesses
  void aDirThatNoProcessHoldsIsSafeToPull() throws Exception {
    drain(nvme.toString());
    Files.delete(output);
    drain(nvme.toString()).fine("is being drained", "Safe to pull");
  }

  @Test
  void aContainerElsewhereHoldsTheResourceThatItIsLinkedTo() throws Exception {
    Files.delete(output);
    Path work = hdd.resolve("usercache/ann/appcache/" + APPLICATION + "/container_1");
    Files.createDirectories(work);
    Files.createSymbolicLink(work.resolve("job.jar"), nvme.resolve("filecache/10/job.jar"));
    Files.createSymbolicLink(work.resolve("other.jar"), hdd.resolve("filecache/11"));
    drain(nvme.toString()).failed().says(APPLICATION + "      1       0");
  }

  /** Others know it by its path, and what lies elsewhere by links in it. */
  @Test
  void aHomeOfSparksHoldsTheDirItIsInAndTheOneItLeadsTo() throws Exception {
    Files.delete(output);
    Path below = Path.of("usercache/ann/appcache", APPLICATION);
    Path slow = Files.createDirectories(hdd.resolve(below));
    Path annex = Files.createDirectories(nvme.resolve(below).resolve("temptier-blockmgr-1/0a"));
    Files.createSymbolicLink(annex.resolve("rdd_1_1"), slow.resolve("temptier-blockmgr-1/0a/b"));
    Path home = Files.createSymbolicLink(slow.resolve("blockmgr-1"), annex.getParent());
    for (Path dir : List.of(nvme, hdd)) {
      drain(dir.toString()).failed().says(APPLICATION + "      1       0");
    }
    Files.delete(home);
    Files.createDirectory(nvme.resolve(below).resolve("blockmgr-2"));
    drain(nvme.toString()).says(APPLICATION + "      1       0");
  }

  @Test
  void aDirThatNothingNeedsIsSafeToPull() throws Exception {
    Path processes = Files.createDirectory(temp.resolve("proc"));
    String self = Long.toString(ProcessHandle.current().pid());
    Files.createSymbolicLink(processes.resolve(self), Path.of("/proc", self));
    try (FileChannel open = FileChannel.open(output, StandardOpenOption.READ)) {
      DirUsers held = new DirUsers(nvme, List.of(hdd), processes, new AtomicLong());
      assertTrue(open.isOpen());
      assertEquals(1, held.applications.size());
      assertEquals(output.toString(), held.processes.get(0).path("file").asText());
    }
    Files.delete(output);
    assertTrue(new DirUsers(nvme, List.of(hdd), processes, new AtomicLong()).none());
    Files.createFile(Files.createDirectory(processes.resolve("1")).resolve("cwd"));
    DirUsers unseen = new DirUsers(nvme, List.of(hdd), processes, new AtomicLong());
    assertFalse(unseen.none(), "a process that cannot be looked into may hold it");
  }

  @Test
  void undrainingLetsFilesInAgain() throws IOException {
    Run.of("undrain", nvme.toString()).says("was not being drained");
    drain(nvme.toString());
    Run.of("undrain", "file:" + nvme).fine("New files go to " + nvme);
    assertFalse(NodeMarker.draining(nvme));
  }

  @Test
  void whatIsNoLocalDirCannotBeDrained() throws IOException {
    Run.of("drain", temp.toString()).failed("has no marker");
    Path only = Files.createDirectories(temp.resolve("only"));
    SiteFiles.mark(SiteFiles.dir(only, Medium.DISK));
    Run.of("drain", only.toString()).failed("only local dir");
    Path moved = Files.createDirectories(temp.resolve("moved"));
    Files.createDirectory(moved.resolve(NodeMarker.DIR));
    Files.copy(
        nvme.resolve(NodeMarker.DIR).resolve(NodeMarker.LAYOUT),
        moved.resolve(NodeMarker.DIR).resolve(NodeMarker.LAYOUT));
    Run.of("drain", moved.toString()).failed("is not among this node's local dirs");
    assertEquals(ExitCodes.WRONG_USE, Run.of("drain").code());
  }
}
