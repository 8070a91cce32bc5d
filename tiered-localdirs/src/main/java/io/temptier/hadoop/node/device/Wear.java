// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.node.device;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.auto.value.AutoValue;
import io.temptier.hadoop.metrics.DeviceCounter;
import io.temptier.tier.lang.Immutable;
import java.io.IOException;
import java.math.BigInteger;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a drive says of its own wear, from {@code smartctl --json}, which has it in other words for
 * NVMe, SATA and SAS, and within SATA for each maker. What a drive does not tell is left out, and
 * so is what no drive can mean: a number whose bits are all ones, a share of its spare above 100 %.
 *
 * <p>Names of SATA attributes and their units are those of smartmontools' {@code drivedb.h}. A raw
 * value has 48 bits, into which some makers pack several numbers. {@code raw.string} is what
 * smartctl makes of them: the first number in it counts.
 */
@AutoValue
public abstract class Wear {

  static final Wear UNKNOWN = Wear.of(Immutable.mapOf(), null);

  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** Of an NVMe drive, thousands of 512 bytes. */
  private static final long DATA_UNIT_BYTES = 512_000;

  private static final long SECTOR_BYTES = 512;

  /**
   * Reallocated, reported uncorrectable, pending and offline uncorrectable: alike for all makers.
   */
  private static final Set<Integer> SECTOR_ERRORS = Immutable.setOf(5, 187, 197, 198);

  /**
   * Names of what counts down from 100, whatever the name says; makers give the numbers to other
   * things as well.
   */
  private static final Set<String> LIFE_LEFT =
      Immutable.setOf(
          "Wear_Leveling_Count",
          "Media_Wearout_Indicator",
          "SSD_Life_Left",
          "Percent_Lifetime_Remain",
          "Percent_Lifetime_Used",
          "Percent_Life_Remaining",
          "Perc_Rated_Life_Remain",
          "Perc_Rated_Life_Used",
          "Remaining_Lifetime_Perc");

  /** Of WD, whose {@code Media_Wearout_Indicator} is no. 230 and counts up; Intel's is no. 233. */
  private static final int WD_WEAROUT = 230;

  /** A normalised value this near to the raw one is the same thing, rounded. */
  private static final int WD_ROUNDING = 5;

  private static final Pattern HOST_WRITES =
      Pattern.compile("(?:(?:Host|Total|Lifetime)_Writes|Lifetime_Wts_Frm_Hst)_(\\w+)");

  private static final Map<String, Long> UNIT_BYTES =
      Immutable.mapOf("32MiB", 32L << 20, "MiB", 1L << 20, "GiB", 1L << 30, "GB", 1_000_000_000L);

  private static final Pattern FIRST_NUMBER = Pattern.compile("0[xX](\\p{XDigit}+).*|(\\d+).*");

  /** The most that an NVMe or SATA drive can say. */
  private static final int MOST_USED_PERCENT = 255;

  /** What it tells of its endurance, spare blocks, errors, bytes written and health. */
  abstract Map<DeviceCounter, Long> values();

  /** Why nothing is known, as {@code smartctl} says it. */
  public abstract @Nullable String trouble();

  static Wear of(Map<DeviceCounter, Long> values, @Nullable String trouble) {
    return new AutoValue_Wear(Immutable.copyOf(values), trouble);
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
    used = upTo(MOST_USED_PERCENT, used);
    Long spare = number(nvme.path("available_spare"));
    spare = upTo(100, spare != null ? spare : number(root.at("/spare_available/current_percent")));
    Long errors = number(nvme.path("media_errors"));
    errors = errors != null ? errors : number(root.path("scsi_grown_defect_list"));
    Long written = times(number(nvme.path("data_units_written")), DATA_UNIT_BYTES);
    Long sectors = statistic(root, "Logical Sectors Written");
    long sectorBytes = root.path("logical_block_size").asLong(SECTOR_BYTES);
    written = written != null ? written : times(sectors, sectorBytes);
    for (JsonNode attribute : root.at("/ata_smart_attributes/table")) {
      String name = attribute.path("name").asText();
      Long raw = raw(attribute);
      if (used == null && LIFE_LEFT.contains(name)) {
        used = used(attribute);
      } else if (spare == null && name.equals("Available_Reservd_Space")) {
        spare = upTo(100, number(attribute.path("value")));
      } else if (written == null) {
        written = times(raw, unitBytes(name));
      }
      if (raw != null && SECTOR_ERRORS.contains(attribute.path("id").asInt())) {
        errors = (errors == null ? 0 : errors) + raw;
      }
    }
    JsonNode passed = root.at("/smart_status/passed");
    Long failed = passed.isBoolean() ? (Long) (passed.asBoolean() ? 0L : 1) : null;
    boolean nothing = used == null && errors == null && written == null && failed == null;
    String message = root.at("/smartctl/messages/0/string").asText("it tells nothing of wear");
    Map<DeviceCounter, Long> values = new EnumMap<>(DeviceCounter.class);
    values.put(DeviceCounter.USED_PERCENT, used);
    values.put(DeviceCounter.SPARE_PERCENT, spare);
    values.put(DeviceCounter.MEDIA_ERRORS, errors);
    values.put(DeviceCounter.LIFETIME_WRITTEN_BYTES, written);
    values.put(DeviceCounter.HEALTH_FAILED, failed);
    values.values().removeIf(Objects::isNull);
    return Wear.of(values, nothing ? message : null);
  }

  private static @Nullable Long used(JsonNode attribute) {
    Long value = upTo(100, number(attribute.path("value")));
    if (attribute.path("id").asInt() != WD_WEAROUT) {
      return value == null ? null : Long.valueOf(100 - value);
    }
    Long raw = wdPercent(attribute);
    if (raw == null) {
      return value == null || value == 100 ? null : value;
    }
    // Some firmware leaves the normalised value at 100 for ever.
    return value != null && Math.abs(value - raw) <= WD_ROUNDING ? value : raw;
  }

  /**
   * WD's wear in percent. Each word of 16 bits has whole percents in its upper byte and hundredths
   * in its lower; the lowest word is the worst of all (smartmontools-support, March 2021).
   */
  private static @Nullable Long wdPercent(JsonNode attribute) {
    Long raw = raw(attribute);
    return raw == null ? null : upTo(MOST_USED_PERCENT, raw >> 8 & 0xff);
  }

  /** The unit of an attribute that counts what the host wrote, bytes; 0 for other attributes. */
  private static long unitBytes(String name) {
    if (name.equals("Total_LBAs_Written")) {
      return SECTOR_BYTES;
    }
    Matcher writes = HOST_WRITES.matcher(name);
    return writes.matches() ? UNIT_BYTES.getOrDefault(writes.group(1), 0L) : 0;
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

  /** The first number of an attribute's raw value as smartctl prints it, decimal or after 0x. */
  private static @Nullable Long raw(JsonNode attribute) {
    JsonNode raw = attribute.path("raw");
    if (!raw.path("string").isTextual()) {
      return number(raw.path("value"));
    }
    Matcher first = FIRST_NUMBER.matcher(raw.path("string").asText().trim());
    if (!first.matches()) {
      return null;
    }
    String hex = first.group(1);
    return known(hex == null ? new BigInteger(first.group(2)) : new BigInteger(hex, 16));
  }

  private static @Nullable Long number(JsonNode node) {
    return node.isIntegralNumber() ? known(node.bigIntegerValue()) : null;
  }

  /** Null for what is no count: all ones in two bytes or more is how drives say "not supported". */
  private static @Nullable Long known(BigInteger number) {
    int bits = number.bitLength();
    boolean allOnes = bits >= 16 && bits % 8 == 0 && number.bitCount() == bits;
    return number.signum() < 0 || bits >= Long.SIZE || allOnes ? null : number.longValue();
  }

  private static @Nullable Long upTo(long most, @Nullable Long number) {
    return number == null || number > most ? null : number;
  }

  private static @Nullable Long times(@Nullable Long number, long bytes) {
    return number == null || bytes == 0 || number > Long.MAX_VALUE / bytes
        ? null
        : Long.valueOf(number * bytes);
  }
}
