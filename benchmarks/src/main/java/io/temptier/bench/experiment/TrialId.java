// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.experiment;

/**
 * Which trial.
 *
 * @param round counted from 1
 */
public record TrialId(String setting, int round, Arm arm) {
  String file() {
    return setting.replaceAll("[^0-9A-Za-z]", "-") + "-" + round + "-" + arm.label() + ".json";
  }

  @Override
  public String toString() {
    return setting + ", round " + round + ", " + arm.label();
  }
}
