/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.temptier.cli.doctor;

import io.temptier.tier.Finding;
import io.temptier.tier.Finding.Severity;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/** Whether the NodeManager will serve map outputs at all. */
final class AuxServiceCheck implements DoctorCheck {
  private static final String KEY = YarnConfiguration.NM_AUX_SERVICES;
  private static final String SHUFFLE = "mapreduce_shuffle";
  private static final String CLASS_KEY = KEY + "." + SHUFFLE + ".class";

  @Override
  public Topic topic() {
    return Topic.NODE_MANAGER;
  }

  @Override
  public List<Finding> check(Rollout rollout) {
    Configuration node = rollout.node();
    if (!List.of(node.getTrimmedStrings(KEY)).contains(SHUFFLE)) {
      String value = node.getTrimmed(KEY, "");
      return List.of(
          new Finding(
              Severity.WARNING,
              KEY,
              value,
              rollout.origin(node, KEY),
              "No shuffle service: MapReduce jobs cannot fetch map outputs, with TempTier or"
                  + " without.",
              Paste.into(
                  Rollout.YARN_SITE, KEY, value.isEmpty() ? SHUFFLE : value + "," + SHUFFLE)));
    }
    String shuffleClass = node.getTrimmed(CLASS_KEY, "");
    if (shuffleClass.isEmpty() || shuffleClass.equals("org.apache.hadoop.mapred.ShuffleHandler")) {
      return List.of();
    }
    return List.of(
        new Finding(
            Severity.INFO,
            CLASS_KEY,
            shuffleClass,
            rollout.origin(node, CLASS_KEY),
            "Not Hadoop's own shuffle service. TempTier keeps map outputs where YARN's users expect"
                + " them, so it should serve them, but this was not tried.",
            "Try it on one NodeManager first."));
  }
}
