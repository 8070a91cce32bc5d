// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.kernel;

import io.temptier.tier.Medium;
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
 *
 * @param prefix of the model, lower case
 * @param medium null when it goes by whether the disk rotates
 * @param what it is, for people
 */
record DiskModel(String prefix, @Nullable Medium medium, String what) {
  private static final String TABLE = "disk-models.txt";
  private static final String VIRTUAL = "VIRTUAL";
  private static final List<DiskModel> ALL = read();

  /** What is known of a disk by its names in sysfs; those may be empty. */
  static Optional<DiskModel> of(String vendor, String model) {
    String alone = model.toLowerCase(Locale.ROOT);
    String whole = vendor.toLowerCase(Locale.ROOT) + " " + alone;
    return ALL.stream()
        .filter(known -> alone.startsWith(known.prefix) || whole.startsWith(known.prefix))
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
                    new DiskModel(
                        cells[0].trim().toLowerCase(Locale.ROOT), medium(cells), cells[2].trim()))
            .forEach(models::add);
      }
    } catch (IOException | RuntimeException e) {
      return List.of();
    }
    models.sort(Comparator.comparingInt(model -> -model.prefix.length()));
    return models;
  }

  private static @Nullable Medium medium(String[] cells) {
    String medium = cells[1].trim();
    return medium.equals(VIRTUAL) ? null : Medium.valueOf(medium);
  }
}
