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
