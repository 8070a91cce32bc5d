// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.tier.FileKind;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.policy.Placement;
import io.temptier.tier.policy.PlacementRequest;
import io.temptier.tier.policy.Reason;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlacementRecordTest {
  private static final PlacementRecord RECORD =
      PlacementRecord.of(
          1_700_000_000_000L,
          42,
          PlacementRecord.Event.PLACED,
          PlacementRequest.of(
              "output/attempt_1_0001_m_000000_0/file.out",
              FileKind.MAP_OUTPUT,
              1 << 20,
              true,
              "application_1_0001",
              0),
          Placement.of(
              dir("/hdd0/yarn"),
              Reason.FULL,
              List.of(
                  Placement.Refusal.of(Medium.NVME, Reason.FULL, 7),
                  Placement.Refusal.of(Medium.SSD, Reason.LIMIT, 0))),
          1 << 20);

  private static LocalDir dir(String path) {
    return LocalDir.of(Path.of(path), Medium.DISK, LocalDir.NO_CAP, "");
  }

  private static String line(PlacementRecord record) {
    byte[] bytes = record.toLine().orElseThrow();
    assertTrue(bytes.length < PlacementRecord.MAX_LINE_BYTES);
    String line = new String(bytes, StandardCharsets.UTF_8);
    assertEquals(line.length() - 1, line.indexOf('\n'), "one newline, at the end");
    return line.substring(0, line.length() - 1);
  }

  private static PlacementRecord withNames(String path, String dir) {
    return record(path, dir, Reason.FASTEST, List.of());
  }

  private static PlacementRecord record(
      String path, String dir, Reason reason, List<Placement.Refusal> refusals) {
    PlacementRequest request = PlacementRequest.of(path, FileKind.OTHER, 0, false, null, 0);
    Placement placement = Placement.of(dir(dir), reason, refusals);
    return PlacementRecord.of(1, 1, PlacementRecord.Event.SETTLED, request, placement, 0);
  }

  @Test
  void theLineIsTheDocumentedOne() {
    assertEquals(
        "1700000000000\t42\tPLACED\toutput/attempt_1_0001_m_000000_0/file.out\tMAP_OUTPUT\t1048576"
            + "\t1\tapplication_1_0001\t[DISK]/hdd0/yarn\tFULL\tNVME:FULL:7,SSD:LIMIT:0\t1",
        line(RECORD));
    assertEquals(Optional.of(RECORD), PlacementRecord.parse(line(RECORD)));
  }

  @Test
  void everyReasonComesBack() {
    for (Reason reason : Reason.values()) {
      PlacementRecord record =
          record("x", "/d", reason, List.of(Placement.Refusal.of(Medium.NVME, reason, 0)));
      assertEquals(Optional.of(record), PlacementRecord.parse(line(record)));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"a b", "a\tb", "a\nb\r", "back\\slash\\t", "ünï/码", "[x]y", "-", ""})
  void anyNameComesBack(String name) {
    PlacementRecord record = withNames(name, "/" + name);
    assertEquals(Optional.of(record), PlacementRecord.parse(line(record)));
  }

  @Test
  void aLineOfAReleaseToComeIsLeftAlone() {
    String line = line(RECORD);
    assertTrue(PlacementRecord.parse(line.replaceAll("1$", "2")).isEmpty(), "another version");
    assertTrue(PlacementRecord.parse(line + "\tmore").isEmpty(), "more fields");
    assertTrue(PlacementRecord.parse(line.replace("\tFULL\t", "\tBUSY\t")).isEmpty(), "a reason");
    assertTrue(PlacementRecord.parse(line.replace("[DISK]", "[CXL]")).isEmpty(), "a medium");
  }

  @Test
  void aPathTooLongForOneWriteHasNoLine() {
    assertTrue(withNames("x".repeat(4096), "/d").toLine().isEmpty());
    assertTrue(withNames("\t".repeat(2100), "/d").toLine().isEmpty());
  }

  @Test
  void aTornOrCorruptLineIsNoRecordAndNoError() {
    String line = line(RECORD);
    for (int end = 0; end < line.length(); end++) {
      assertTrue(PlacementRecord.parse(line.substring(0, end)).isEmpty(), "cut at " + end);
    }
    long seed = 20251121;
    Random random = new Random(seed);
    for (int i = 0; i < 20_000; i++) {
      char[] chars = line.toCharArray();
      for (int hits = 1 + random.nextInt(4); hits > 0; hits--) {
        chars[random.nextInt(chars.length)] = (char) random.nextInt(256);
      }
      Optional<PlacementRecord> parsed = PlacementRecord.parse(new String(chars));
      assertTrue(parsed.isEmpty() || parsed.get().bytes() >= 0, "seed " + seed + ", round " + i);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 4, 5, 6, 8, 9, 10, 11})
  void aFieldOfNonsenseIsNoRecord(int field) {
    String[] fields = line(RECORD).split("\t");
    for (String nonsense : List.of("", "x", "-5", "99999999999999999999")) {
      String[] changed = fields.clone();
      changed[field] = nonsense;
      assertTrue(
          PlacementRecord.parse(String.join("\t", changed)).isEmpty(), Arrays.toString(changed));
    }
  }
}
