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
