// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.temptier.tier.Finding;
import java.util.List;
import org.junit.jupiter.api.Test;

class LocalDirChecksTest {
  @Test
  void aJavaWithoutDirectIoIsNamed() {
    assertEquals(List.of(), LocalDirChecks.watchedBy("17.0.9", true));
    Finding found = LocalDirChecks.watchedBy("1.8.0_392", false).get(0);
    assertEquals(Finding.Severity.INFO, found.severity());
    assertEquals("1.8.0_392", found.value());
  }
}
