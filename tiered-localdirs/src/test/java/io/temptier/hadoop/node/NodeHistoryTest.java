// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.hadoop.metrics.TierCounter;
import io.temptier.testing.ManualClock;
import io.temptier.tier.FileKind;
import io.temptier.tier.Layouts;
import io.temptier.tier.Medium;
import io.temptier.tier.journal.PlacementRecord;
import io.temptier.tier.policy.Placement;
import io.temptier.tier.policy.PlacementRequest;
import io.temptier.tier.policy.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeHistoryTest {
  private static final String APP = "application_1_0001";
  private static final Placement.Refusal CAP = Placement.Refusal.of(Medium.NVME, Reason.CAP, 0);

  private final Path temp;
  private final ManualClock clock = new ManualClock(1_000_000);
  private final Map<String, String> present = new ConcurrentHashMap<>(Map.of(APP, "ann"));
  private final Map<TierCounter, Long> counted = new HashMap<>();

  private final NodeHistory history;

  NodeHistoryTest(@TempDir Path temp) {
    this.temp = temp;
    history = history(true);
  }

  private NodeHistory history(boolean outlived) {
    return new NodeHistory(
        List.of(temp),
        folder -> true,
        () -> present,
        (counter, n) -> counted.merge(counter, n, Long::sum),
        outlived,
        clock::millis);
  }

  private static PlacementRecord record(
      long millis, String application, PlacementRecord.Event event, long bytes, boolean spilled) {
    return PlacementRecord.of(
        millis,
        1,
        event,
        PlacementRequest.of("output/x", FileKind.SPILL, bytes, true, application, 0),
        Placement.of(
            Layouts.dir(Path.of("/yarn"), spilled ? Medium.DISK : Medium.NVME),
            Reason.FASTEST,
            spilled ? List.of(CAP) : List.of()),
        bytes);
  }

  private static void write(NodeHistory history, String application, long bytes, boolean spilled) {
    history.accept(record(999_000, application, PlacementRecord.Event.PLACED, 2 * bytes, spilled));
    history.accept(record(999_000, application, PlacementRecord.Event.SETTLED, bytes, spilled));
  }

  private List<String> written() throws IOException {
    Path file = temp.resolve("history");
    return Files.exists(file) ? Files.readAllLines(file) : List.of();
  }

  private void writeAndLeave() {
    write(history, APP, 10, false);
    history.round();
    leave();
  }

  private void leave() {
    present.remove(APP);
    clock.advance(NodeHistory.AFTERMATH);
    history.round();
  }

  /** A localizer's files tell nothing of tasks; the folder that the first task asks for does. */
  @ParameterizedTest
  @CsvSource({
    "usercache/ann/filecache/10, 2",
    "container_1_0001_01_000002, 2",
    "work, 0",
    "spill0.out, 0"
  })
  void tasksWithoutTempTierLeaveNoJournal(String path, long withoutTempTier) throws IOException {
    history.container(APP, ContainerState.EXITED_WITH_SUCCESS, true);
    history.container(APP, ContainerState.DONE, true);
    history.container(APP, ContainerState.EXITED_WITH_SUCCESS, true);
    history.container(APP, ContainerState.EXITED_WITH_SUCCESS, false);
    history.container(APP, ContainerState.EXITED_WITH_FAILURE, true);
    PlacementRequest request = PlacementRequest.of(path, FileKind.of(path), 1, true, APP, 0);
    Placement placement = Placement.of(Layouts.dir(temp, Medium.NVME), Reason.FASTEST, List.of());
    history.accept(PlacementRecord.of(1, 2, PlacementRecord.Event.PLACED, request, placement, 1));
    history.round();
    assertEquals(Map.of(), counted);
    leave();
    Map<TierCounter, Long> expected =
        Map.of(TierCounter.MAPREDUCE_TASKS, 2L, TierCounter.MAPREDUCE_TASKS_STOCK, withoutTempTier);
    assertEquals(expected, counted);
  }

  @Test
  void anApplicationIsWrittenDownOnceItHasLeft() throws IOException {
    write(history, APP, 10, false);
    write(history, APP, 7, true);
    history.container(APP, ContainerState.EXITED_WITH_FAILURE, true);
    history.container(APP, ContainerState.DONE, true);
    history.container(APP, ContainerState.RUNNING, true);
    history.round();
    assertEquals(List.of(), written());
    assertTrue(history.getApplications().contains("\"running\":true"), history.getApplications());
    present.clear();
    history.round();
    assertEquals(List.of(), written(), "the last lines of its journals may yet come");
    clock.advance(NodeHistory.AFTERMATH);
    history.round();
    history.round();
    String line =
        "{\"v\":1,\"app\":\"application_1_0001\",\"user\":\"ann\",\"fromMillis\":999000,"
            + "\"toMillis\":1000000,\"tiers\":[{\"medium\":\"NVME\",\"files\":1,\"bytes\":10},"
            + "{\"medium\":\"DISK\",\"files\":1,\"bytes\":7,\"filesSpilled\":1,\"bytesSpilled\":7}],"
            + "\"refused\":[{\"medium\":\"NVME\",\"reason\":\"CAP\",\"files\":1,\"bytes\":7}],"
            + "\"containers\":1,\"containersFailed\":1}";
    assertEquals(List.of(line), written());
    assertEquals("[" + line + "]", history.getApplications());
  }

  @Test
  void anApplicationIsWrittenDownAlthoughTheClockWasSetBack() throws IOException {
    write(history, APP, 10, false);
    history.round();
    present.clear();
    clock.step(Duration.ofHours(-1));
    history.round();
    assertEquals(1, written().size());
  }

  @Test
  void whatComesLateIsALineMore() throws IOException {
    writeAndLeave();
    history.accept(record(999_000, APP, PlacementRecord.Event.SETTLED, 5, false));
    leave();
    assertEquals(2, written().size());
    assertTrue(written().get(1).contains("\"bytes\":5"), written().toString());
  }

  @Test
  void theNextNodeManagerShowsWhatTheLastOneWrote() throws IOException {
    writeAndLeave();
    history.close();
    NodeHistory next = history(true);
    assertEquals("[]", next.getApplications());
    next.round();
    assertEquals(written().toString(), next.getApplications());
  }

  /** With recovery the next NodeManager reads the tasks' journals anew, from their beginnings. */
  @Test
  void applicationsThatOutliveTheNodeManagerAreNotWrittenDownYet() throws IOException {
    NodeHistory outlived = history(true);
    write(outlived, APP, 10, false);
    outlived.close();
    assertEquals(List.of(), written());
    NodeHistory ending = history(false);
    write(ending, APP, 10, false);
    ending.round();
    ending.close();
    assertEquals(1, written().size());
  }

  /** As the NodeManager's own files for it do, once they are deleted. */
  @Test
  void aFileThatSettlesAfterItsApplicationHasLeftIsNoNewOne() throws IOException {
    writeAndLeave();
    history.accept(record(999_000, APP, PlacementRecord.Event.SETTLED, 0, false));
    leave();
    assertEquals(1, written().size(), written().toString());
  }

  /** Its journals are gone: the next NodeManager cannot read them. */
  @Test
  void anApplicationThatHasJustLeftIsWrittenDownAtTheEnd() throws IOException {
    write(history, APP, 10, false);
    history.round();
    present.clear();
    history.close();
    assertEquals(1, written().size());
    assertTrue(written().get(0).contains("\"user\":\"ann\""), written().toString());
  }

  @Test
  void linesWaitForADiskThatTakesThem() throws IOException {
    Path blocked = Files.createDirectory(temp.resolve("history"));
    writeAndLeave();
    assertTrue(history.getApplications().contains(APP));
    Files.delete(blocked);
    history.round();
    assertEquals(1, written().size());
  }

  @Test
  void howManyAreKeptIsBounded() {
    for (int i = 0; i < NodeHistory.MOST_RUNNING + 10; i++) {
      write(history, "application_2_" + i, 1, false);
    }
    clock.advance(NodeHistory.AFTERMATH);
    history.round();
    String shown = history.getApplications();
    assertEquals(NodeHistory.MOST_RECENT, shown.split("\"app\":", -1).length - 1);
    assertTrue(shown.length() < 64 << 10, shown.length() + " bytes");
  }

  @Test
  void whatExecutorsMovedIsTheirApplications() {
    PlacementRecord.Event moved = PlacementRecord.Event.DEMOTED;
    history.accept(record(999_000, APP, moved, 20, true));
    history.accept(record(Long.MAX_VALUE, APP, moved, 30, true));
    String shown = history.getApplications();
    assertTrue(shown.contains("\"tiers\":[],\"filesDemoted\":2,\"bytesDemoted\":50"), shown);
  }
}
