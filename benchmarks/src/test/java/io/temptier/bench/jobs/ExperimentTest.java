// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.temptier.bench.experiment.Arm;
import io.temptier.bench.node.NodeProfile;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ExperimentTest {
  private static final NodeSetting FOUR = NodeSetting.of("4 HDDs", 4, NodeSetting.FITS);
  private static final NodeSetting ONE = NodeSetting.of("1 HDD", 1, NodeSetting.FITS);

  @Test
  void aProfileSetsWhatIsNotAskedFor() {
    Experiment fits = experiment(NodeSetting.of("fits", 3, NodeSetting.FITS));
    assertEquals(
        List.of(new NodeSetting("fits", 1, NodeSetting.FITS, 14, 0, false)),
        fits.on(NodeProfile.INTEL_LAB_LIKE).settings());
    assertEquals(
        List.of(FOUR.withTasks(14), ONE.withTasks(14)),
        experiment(FOUR, ONE).on(NodeProfile.INTEL_LAB_LIKE).settings());
    assertEquals(
        List.of(FOUR.withTasks(5).withHdds(3), FOUR.withTasks(9).withHdds(3)),
        experiment(FOUR.withTasks(5), FOUR.withTasks(9)).on(NodeProfile.TWITTER_LIKE).settings());
  }

  private static Experiment experiment(NodeSetting... settings) {
    return new Experiment(
        "counting",
        "some",
        "Some?",
        List.of(settings),
        List.of(Arm.TEMPTIER),
        new CountingWords(1));
  }
}
