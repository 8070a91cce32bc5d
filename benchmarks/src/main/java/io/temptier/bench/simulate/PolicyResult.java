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
package io.temptier.bench.simulate;

/**
 * What one policy made of the trace.
 *
 * @param model the cluster, with the policy
 * @param result what came of it
 */
record PolicyResult(ClusterModel model, SimulationResult result) {
  /** Names the policy. */
  String name() {
    return model.candidate().name();
  }

  /** The HDDs' work with a size of the fast disk, by that of another policy with the same. */
  double workBy(PolicyResult other, int size) {
    double reference = other.result().sizes().get(size).hdds().seconds();
    double work = result.sizes().get(size).hdds().seconds();
    return reference == 0 ? (work == 0 ? 1 : Double.POSITIVE_INFINITY) : work / reference;
  }
}
