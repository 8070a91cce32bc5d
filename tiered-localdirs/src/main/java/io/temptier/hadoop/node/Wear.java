// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.node;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.auto.value.AutoValue;
import io.temptier.tier.Immutable;
import java.io.IOException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a drive says of its own wear, from {@code smartctl --json}, which has it in other words for
 * NVMe, SATA and SAS, and within SATA for each maker. What a drive does not tell is null.
 */
@AutoValue
abstract class Wear {

  /** Nothing is known. */
  static final Wear UNKNOWN = Wear.of(null, null, null, null, null, null);

  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** Of an NVMe drive, thousands of 512 bytes. */
  private static final long DATA_UNIT_BYTES = 512_000;

  private static final long SECTOR_BYTES = 512;

  /** Reallocated, pending and offline uncorrectable sectors: alike for all makers. */
  private static final Set<Integer> SECTOR_ERRORS = Immutable.setOf(5, 197, 198);

  /** Names of what counts down from 100; makers give the numbers to other things as well. */
  private static final Set<String> LIFE_LEFT =
      Immutable.setOf(
          "Wear_Leveling_Count",
          "Media_Wearout_Indicator",
          "SSD_Life_Left",
          "Percent_Lifetime_Remain",
          "Percent_Life_Remaining",
          "Remaining_Lifetime_Perc");

  /** Of its rated endurance. */
  abstract @Nullable Long usedPercent();

  /** What is left of its spare blocks. */
  abstract @Nullable Long sparePercent();

  /** In its life. */
  abstract @Nullable Long mediaErrors();

  /** In its life. */
  abstract @Nullable Long writtenBytes();

  /** Whether it says of itself that it fails. */
  abstract @Nullable Boolean failed();

  /** Why nothing is known, as {@code smartctl} says it. */
  abstract @Nullable String trouble();

  static Wear of(
      @Nullable Long usedPercent,
      @Nullable Long sparePercent,
      @Nullable Long mediaErrors,
      @Nullable Long writtenBytes,
      @Nullable Boolean failed,
      @Nullable String trouble) {
    return new AutoValue_Wear(
        usedPercent, sparePercent, mediaErrors, writtenBytes, failed, trouble);
  }

  /**
   * Reads the output of {@code smartctl --json -i -H -A -l devstat}.
   *
   * @throws IOException when it is no JSON
   */
  static Wear parse(String json) throws IOException {
    JsonNode root = MAPPER.readTree(json);
    JsonNode nvme = root.path("nvme_smart_health_information_log");
    Long used = number(nvme.path("percentage_used"));
    used = used != null ? used : number(root.at("/endurance_used/current_percent"));
    used = used != null ? used : number(root.path("scsi_percentage_used_endurance_indicator"));
    used = used != null ? used : statistic(root, "Percentage Used Endurance Indicator");
    Long spare = number(nvme.path("available_spare"));
    spare = spare != null ? spare : number(root.at("/spare_available/current_percent"));
    Long errors = number(nvme.path("media_errors"));
    errors = errors != null ? errors : number(root.path("scsi_grown_defect_list"));
    Long written = times(number(nvme.path("data_units_written")), DATA_UNIT_BYTES);
    Long sectors = statistic(root, "Logical Sectors Written");
    long sectorBytes = root.path("logical_block_size").asLong(SECTOR_BYTES);
    written = written != null ? written : times(sectors, sectorBytes);
    for (JsonNode attribute : root.at("/ata_smart_attributes/table")) {
      String name = attribute.path("name").asText();
      Long value = number(attribute.path("value"));
      Long raw = number(attribute.at("/raw/value"));
      if (used == null && value != null && LIFE_LEFT.contains(name)) {
        used = Math.max(0, 100 - value);
      } else if (spare == null && name.equals("Available_Reservd_Space")) {
        spare = value;
      } else if (written == null && name.equals("Total_LBAs_Written")) {
        written = times(raw, SECTOR_BYTES);
      } else if (raw != null && SECTOR_ERRORS.contains(attribute.path("id").asInt())) {
        errors = (errors == null ? 0 : errors) + raw;
      }
    }
    JsonNode passed = root.at("/smart_status/passed");
    Boolean failed = passed.isBoolean() ? Boolean.valueOf(!passed.asBoolean()) : null;
    boolean nothing = used == null && errors == null && written == null && failed == null;
    String message = root.at("/smartctl/messages/0/string").asText("it tells nothing of wear");
    return Wear.of(used, spare, errors, written, failed, nothing ? message : null);
  }

  private static @Nullable Long statistic(JsonNode root, String name) {
    for (JsonNode page : root.at("/ata_device_statistics/pages")) {
      for (JsonNode entry : page.path("table")) {
        if (entry.path("name").asText().equals(name) && entry.at("/flags/valid").asBoolean(true)) {
          return number(entry.path("value"));
        }
      }
    }
    return null;
  }

  private static @Nullable Long number(JsonNode node) {
    return node.isNumber() ? Long.valueOf(node.asLong()) : null;
  }

  private static @Nullable Long times(@Nullable Long number, long bytes) {
    return number == null ? null : Long.valueOf(number * bytes);
  }
}
