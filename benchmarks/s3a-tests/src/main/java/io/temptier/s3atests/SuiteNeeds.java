// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3atests;

import io.temptier.fixtures.Need;
import java.util.Optional;

/**
 * Asked by the build before it compiles Hadoop's tests: exits with 0 where there is Ceph, with 1
 * where they are to be skipped, with 2 where they are required, see {@link Need#REQUIRE}.
 */
public final class SuiteNeeds {
  private SuiteNeeds() {}

  public static void main(String[] args) {
    Optional<String> missing = Need.CEPH.missing();
    missing.ifPresent(why -> System.out.println("SKIPPED: hadoop-aws's own tests " + why));
    System.exit(missing.isEmpty() ? 0 : Need.CEPH.isRequired() ? 2 : 1);
  }
}
