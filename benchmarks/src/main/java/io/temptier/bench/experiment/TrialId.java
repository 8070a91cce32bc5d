// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.experiment;

/**
 * Which trial.
 *
 * @param setting the name of its setting
 * @param round counted from 1
 * @param arm its arm
 */
public record TrialId(String setting, int round, Arm arm) {
  /** The name of its file. */
  String file() {
    return setting.replaceAll("[^0-9A-Za-z]", "-") + "-" + round + "-" + arm.label() + ".json";
  }

  @Override
  public String toString() {
    return setting + ", round " + round + ", " + arm.label();
  }
}
