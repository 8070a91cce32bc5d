// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.s3a.doctor;

import io.temptier.tier.Finding;
import java.util.List;

/** One thing that the settings and this machine show by themselves. Stateless; asks no store. */
interface SettingsCheck {
  /** Under which heading its findings are printed. */
  Topic topic();

  /** What there is to say; empty when all is well. */
  List<Finding> check(Subject subject);
}
