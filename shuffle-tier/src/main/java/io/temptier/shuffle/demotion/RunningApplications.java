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
package io.temptier.shuffle.demotion;

import java.util.Map;
import java.util.Optional;

/** Tells which applications run on this node. Must not block for long: it is asked often. */
@FunctionalInterface
public interface RunningApplications {
  /**
   * The applications of which nothing is deleted before this says that they run no more.
   *
   * @return users by application id; empty when nobody can tell, and then nothing is demoted
   */
  Optional<Map<String, String>> users();
}
