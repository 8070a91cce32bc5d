// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NearestNameTest {
  @ParameterizedTest
  @CsvSource({
    "'', '', 0",
    "a, '', 1",
    "'', ab, 2",
    "kitten, sitting, 3",
    "tempteir, temptier, 1",
    "ab, ba, 1",
    "same, same, 0",
    "nvem, nvme, 1"
  })
  void countsEdits(String a, String b, int distance) {
    assertEquals(distance, NearestName.distance(a, b));
    assertEquals(distance, NearestName.distance(b, a));
  }

  @ParameterizedTest
  @CsvSource({
    "NVEM, NVME",
    "nvm, NVME",
    "HDD, DISK",
    "hdd, DISK",
    "RAMDISK, RAM_DISK",
    "RAM-DISK, RAM_DISK",
    "ARCHIVE, DISK",
    "PMEM, NVDIMM",
    "DSIK, DISK",
    "SDD, SSD",
    "lustre, REMOTE"
  })
  void guessesMedia(String tag, Medium medium) {
    assertEquals(Optional.of(medium), NearestName.ofMedium(tag));
  }

  @Test
  void guessesNothingWhereNothingIsNear() {
    assertEquals(Optional.empty(), NearestName.ofMedium("FLOPPY"));
    assertEquals(Optional.empty(), NearestName.ofMedium(""));
    assertEquals(Optional.empty(), NearestName.of("abc", List.of()));
  }

  @Test
  void survivesHostileLength() {
    String hostile = "n".repeat(1_000_000);
    assertEquals(Optional.empty(), NearestName.of(hostile, List.of("temptier.enabled")));
  }
}
