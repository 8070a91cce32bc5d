// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.kernel;

import com.google.auto.value.AutoValue;
import io.temptier.tier.Medium;
import io.temptier.tier.lang.Immutable;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Disks whose kind the kernel's name does not tell, from the table {@code disk-models.txt}: volumes
 * of clouds show as {@code nvme*} as local NVMe does.
 */
@AutoValue
abstract class DiskModel {

  private static final String TABLE = "disk-models.txt";
  private static final String VIRTUAL = "VIRTUAL";
  private static final List<DiskModel> ALL = read();

  /** Of the model, lower case. */
  abstract String prefix();

  /** Null when the medium depends on whether the disk rotates. */
  abstract @Nullable Medium medium();

  /** It is, for people. */
  abstract String what();

  static DiskModel of(String prefix, @Nullable Medium medium, String what) {
    return new AutoValue_DiskModel(prefix, medium, what);
  }

  /** What is known of a disk by its names in sysfs; those may be empty. */
  static Optional<DiskModel> of(String vendor, String model) {
    String alone = model.toLowerCase(Locale.ROOT);
    String whole = vendor.toLowerCase(Locale.ROOT) + " " + alone;
    return ALL.stream()
        .filter(known -> alone.startsWith(known.prefix()) || whole.startsWith(known.prefix()))
        .findFirst();
  }

  /** The longest prefix first. Without the table, disks go by the kernel's names. */
  private static List<DiskModel> read() {
    List<DiskModel> models = new ArrayList<>();
    try (InputStream in = DiskModel.class.getResourceAsStream(TABLE)) {
      if (in != null) {
        new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))
            .lines()
            .filter(line -> !line.isEmpty() && line.charAt(0) != '#')
            .map(line -> line.split("\\|", 4))
            .map(
                cells ->
                    DiskModel.of(
                        cells[0].trim().toLowerCase(Locale.ROOT), medium(cells), cells[2].trim()))
            .forEach(models::add);
      }
    } catch (IOException | RuntimeException e) {
      return Immutable.listOf();
    }
    models.sort(Comparator.comparingInt(model -> -model.prefix().length()));
    return models;
  }

  private static @Nullable Medium medium(String[] cells) {
    String medium = cells[1].trim();
    return medium.equals(VIRTUAL) ? null : Medium.valueOf(medium);
  }
}
