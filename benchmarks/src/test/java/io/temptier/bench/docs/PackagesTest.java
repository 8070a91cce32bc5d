// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.docs;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** The arrows between packages go one way, as design.md says. */
final class PackagesTest {
  private static final ImportOption NOT_GENERATED = at -> !at.contains("jmh_generated");

  @Test
  void noTwoUseEachOtherHoweverFarAround() {
    JavaClasses classes =
        new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .withImportOption(NOT_GENERATED)
            .importPackages("io.temptier");
    assertTrue(classes.contain("io.temptier.tier.placer.Placer"), "the product is looked at");
    slices().matching("io.temptier.(**)").should().beFreeOfCycles().check(classes);
  }
}
