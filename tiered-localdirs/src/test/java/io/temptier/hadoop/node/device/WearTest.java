// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.node.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.temptier.hadoop.metrics.DeviceCounter;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What smartctl says, as it says it of NVMe, SATA and SAS, and what it does not. */
class WearTest {
  private static final Wear NVME = told(12L, 97L, 3L, 1_890_421_333L * 512_000, 0L);
  private static final Wear SATA = told(17L, null, 5L, 903_218_812_342L * 512, 0L);

  @TempDir Path temp;

  private static Wear told(
      @Nullable Long usedPercent,
      @Nullable Long sparePercent,
      @Nullable Long mediaErrors,
      @Nullable Long writtenBytes,
      @Nullable Long failed) {
    Map<DeviceCounter, Long> values = new EnumMap<>(DeviceCounter.class);
    values.put(DeviceCounter.USED_PERCENT, usedPercent);
    values.put(DeviceCounter.SPARE_PERCENT, sparePercent);
    values.put(DeviceCounter.MEDIA_ERRORS, mediaErrors);
    values.put(DeviceCounter.LIFETIME_WRITTEN_BYTES, writtenBytes);
    values.put(DeviceCounter.HEALTH_FAILED, failed);
    values.values().removeIf(Objects::isNull);
    return Wear.of(values, null);
  }

  private static String fixture(String name) throws IOException {
    try (InputStream in = WearTest.class.getResourceAsStream("/smartctl/" + name + ".json")) {
      return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void deviceStatisticsAreTheSameForAllMakers() throws IOException {
    String json =
        """
        {"logical_block_size": 4096, "smart_status": {"passed": false},
         "ata_device_statistics": {"pages": [
           {"number": 1, "name": "General Statistics", "table": [
             {"offset": 24, "name": "Logical Sectors Written", "size": 6, "value": 1000,
              "flags": {"valid": true, "normalized": false}}]},
           {"number": 7, "name": "Solid State Device Statistics", "table": [
             {"offset": 8, "name": "Percentage Used Endurance Indicator", "size": 1, "value": 104,
              "flags": {"valid": true, "normalized": true}}]}]},
         "ata_smart_attributes": {"table": [
           {"id": 233, "name": "Media_Wearout_Indicator", "value": 50},
           {"id": 241, "name": "Total_LBAs_Written", "value": 1, "raw": {"value": 7}}]}}
        """;
    assertEquals(told(104L, null, null, 4_096_000L, 1L), Wear.parse(json));
  }

  @Test
  void wearOfWdCountsUp() throws IOException {
    assertEquals(told(1L, 100L, null, 2893L << 30, 0L), Wear.parse(fixture("sata-wd")));
  }

  /** Raw values are those of drives in public bug reports; some firmware leaves value at 100. */
  @ParameterizedTest
  @CsvSource({
    "100, 0x0523023c0523, 5",
    "100, 0x2f2423142f24, 47",
    "37, 0x25060d282506, 37",
    "100, 0x000000000000, 0",
    "95, 0x0523023c0523, 5",
    "3, , 3",
    "100, , "
  })
  void wearOfWdIsInTheRawValueToo(int value, @Nullable String raw, @Nullable Long used)
      throws IOException {
    String words = raw == null ? "" : ", \"raw\": {\"value\": 1, \"string\": \"" + raw + "\"}";
    assertEquals(
        used,
        attribute(230, "Media_Wearout_Indicator", value, words)
            .values()
            .get(DeviceCounter.USED_PERCENT));
  }

  @Test
  void ofAPackedRawValueTheFirstNumberCounts() throws IOException {
    assertEquals(told(3L, null, 3L, null, 0L), Wear.parse(fixture("sata-packed")));
  }

  @Test
  void whatADriveCannotMeanIsNotKnown() throws IOException {
    assertEquals(told(255L, 100L, null, null, 0L), Wear.parse(fixture("nvme-unsupported")));
    assertNull(attribute(231, "SSD_Life_Left", 253, "").values().get(DeviceCounter.USED_PERCENT));
    assertNull(
        attribute(232, "Available_Reservd_Space", 200, "")
            .values()
            .get(DeviceCounter.SPARE_PERCENT));
    assertNull(written("Total_LBAs_Written", "281474976710655"));
    assertNull(written("Total_LBAs_Written", "9223372036854775806"), "more than a long has bytes");
    assertNull(written("Total_LBAs_Written", "-1"));
    assertNull(written("Total_LBAs_Written", ""));
  }

  @ParameterizedTest
  @CsvSource({
    "Total_LBAs_Written, 2048",
    "Host_Writes_32MiB, 134217728",
    "Host_Writes_MiB, 4194304",
    "Lifetime_Writes_GiB, 4294967296",
    "Total_Writes_GB, 4000000000",
    "Lifetime_Wts_Frm_Hst_GB, 4000000000",
    "Host_Writes_Furlongs, ",
    "Flash_Writes_GiB, "
  })
  void whatTheHostWroteIsCountedInManyUnits(String name, @Nullable Long bytes) throws IOException {
    assertEquals(bytes, written(name, "4"));
  }

  private static @Nullable Long written(String name, String raw) throws IOException {
    return attribute(241, name, 100, ", \"raw\": {\"value\": 9, \"string\": \"" + raw + "\"}")
        .values()
        .get(DeviceCounter.LIFETIME_WRITTEN_BYTES);
  }

  private static Wear attribute(int id, String name, int value, String more) throws IOException {
    return Wear.parse(
        """
        {"ata_smart_attributes": {"table": [{"id": %d, "name": "%s", "value": %d%s}]}}
        """
            .formatted(id, name, value, more));
  }

  @Test
  void aSasDriveHasAnEnduranceIndicatorAndDefects() throws IOException {
    Wear wear =
        Wear.parse(
            """
            {"smart_status": {"passed": true}, "scsi_grown_defect_list": 2,
             "scsi_percentage_used_endurance_indicator": 9}
            """);
    assertEquals(told(9L, null, 2L, null, 0L), wear);
  }

  @Test
  void whatIsRefusedIsSaid() throws IOException {
    Wear wear =
        Wear.parse(
            """
            {"smartctl": {"messages": [{"severity": "error",
              "string": "Smartctl open device: /dev/sda failed: Permission denied"}],
              "exit_status": 2}}
            """);
    assertEquals("Smartctl open device: /dev/sda failed: Permission denied", wear.trouble());
    assertNull(wear.values().get(DeviceCounter.USED_PERCENT));
    assertEquals("it tells nothing of wear", Wear.parse("[]").trouble());
    assertThrows(IOException.class, () -> Wear.parse("{"));
  }

  /** A program that says what is in a file of the drive's name. */
  private WearReader reader(String script, Set<String> drives) throws IOException {
    Path program = Files.writeString(temp.resolve("smartctl"), script);
    return new WearReader("sh " + program, () -> drives, Duration.ofMinutes(1));
  }

  /** An NVMe drive has a log of its health, a SATA drive attributes of its maker. */
  @Test
  void drivesOfMetalAreAskedOnceAnHour() throws IOException {
    Files.writeString(temp.resolve("nvme0n1"), fixture("nvme"));
    Files.writeString(temp.resolve("sda"), fixture("sata"));
    String script =
        "for drive; do :; done; echo $drive >> " + temp + "/asked; cat " + temp + "/${drive#/dev/}";
    try (WearReader reader = reader(script, Set.of("nvme0n1", "sda", "loop7", "vda", "dm-0"))) {
      reader.round();
      reader.round();
      assertEquals(NVME, reader.of("nvme0n1"));
      assertEquals(SATA, reader.of("sda"));
      assertEquals(Wear.UNKNOWN, reader.of("loop7"));
    }
    assertEquals(
        Set.of("/dev/nvme0n1", "/dev/sda"), Set.copyOf(Files.readAllLines(temp.resolve("asked"))));
    assertEquals(2, Files.readAllLines(temp.resolve("asked")).size());
  }

  @Test
  void aProgramThatIsMissingFailsFloodsOrLiesIsNoError() throws IOException {
    for (String script :
        new String[] {"exit 1", "echo sudo: a password is required", "yes {", ""}) {
      try (WearReader reader = reader(script, Set.of("sda"))) {
        reader.round();
        assertEquals(Wear.UNKNOWN, reader.of("sda"), script);
      }
    }
    try (WearReader reader = new WearReader(temp.resolve("none").toString(), () -> Set.of("sda"))) {
      reader.round();
      assertEquals(Wear.UNKNOWN, reader.of("sda"));
    }
  }

  @Test
  void aProgramThatHangsIsEnded() throws IOException {
    Path program = Files.writeString(temp.resolve("smartctl"), "exec sleep 600");
    try (WearReader reader =
        new WearReader("sh " + program, () -> Set.of("sda"), Duration.ofMillis(300))) {
      reader.round();
      assertEquals(Wear.UNKNOWN, reader.of("sda"));
    }
  }
}
