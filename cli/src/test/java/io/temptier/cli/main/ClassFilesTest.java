// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.main;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A cluster's JVMs are of Java 8 and later: none may meet a class that it cannot load. {@code
 * TarballIT} looks at the jars.
 */
class ClassFilesTest {
  private static Path place(Class<?> type) throws Exception {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "io.temptier.tier.policy.Placement",
        "io.temptier.shuffle.ShuffleTier",
        "io.temptier.s3a.endpoint.EndpointSettings",
        "io.temptier.spark.SparkTiering",
        "io.temptier.cli.main.Main"
      })
  void allOfAModuleAreOfJava8(String one) throws Exception {
    ClassFiles.assertJava8(place(Class.forName(one, false, getClass().getClassLoader())));
  }

  /** Tests are Java 17. */
  @Test
  void aNewerClassIsFound() throws Exception {
    Path tests = place(ClassFilesTest.class);
    AssertionError found = assertThrows(AssertionError.class, () -> ClassFiles.assertJava8(tests));
    assertTrue(
        String.valueOf(found.getMessage()).contains("io/temptier/cli/main/ClassFilesTest.class=61"),
        found.getMessage());
  }
}
