// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3atests;

import io.temptier.fixtures.Need;
import java.util.Optional;

/**
 * Asked by the build before it compiles Hadoop's tests: prints {@code skip} where there is no Ceph,
 * with a line for people as errors; fails where one is required, see {@link Need#REQUIRE}.
 */
public final class SuiteNeeds {
  private SuiteNeeds() {}

  public static void main(String[] args) {
    Optional<String> missing = Need.CEPH.missing();
    if (missing.isPresent()) {
      System.err.println("SKIPPED: Hadoop's suite of S3A " + missing.get());
      if (Need.CEPH.isRequired()) {
        throw new IllegalStateException("-D" + Need.REQUIRE + " names ceph");
      }
      System.out.println("skip");
    }
  }
}
