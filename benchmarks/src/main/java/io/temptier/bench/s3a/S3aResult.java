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
