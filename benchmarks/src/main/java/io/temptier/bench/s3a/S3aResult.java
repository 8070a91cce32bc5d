// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.s3a;

import io.temptier.bench.report.Goal;
import java.util.List;
import java.util.Map;

/**
 * What was measured.
 *
 * @param plan what was to be done
 * @param arms every way in every pattern
 * @param goals what is to be reached, and what was
 * @param remarks what could not be measured, and why
 * @param facts machine, versions, command: what, and its value
 */
record S3aResult(
    S3aPlan plan,
    List<Arm> arms,
    List<Goal> goals,
    List<String> remarks,
    Map<String, String> facts) {
  S3aResult {
    arms = List.copyOf(arms);
    goals = List.copyOf(goals);
    remarks = List.copyOf(remarks);
  }
}
