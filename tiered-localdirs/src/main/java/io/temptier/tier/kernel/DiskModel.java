// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.kernel;

import com.google.auto.value.AutoValue;
import io.temptier.tier.Medium;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.text.TextTable;
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

  private static final List<DiskModel> ALL = read();

  /** Of the model, lower case. */
  abstract String prefix();

  /** Null when the medium depends on whether the disk rotates. */
  abstract @Nullable Medium medium();

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
    try {
      return TextTable.read(DiskModel.class, "disk-models.txt", 4).stream()
          .map(
              row ->
                  DiskModel.of(row.get(0).toLowerCase(Locale.ROOT), medium(row.get(1)), row.get(2)))
          .sorted(Comparator.comparingInt(model -> -model.prefix().length()))
          .collect(Immutable.toList());
    } catch (RuntimeException e) {
      return Immutable.listOf();
    }
  }

  private static @Nullable Medium medium(String name) {
    return name.equals("VIRTUAL") ? null : Medium.valueOf(name);
  }
}
