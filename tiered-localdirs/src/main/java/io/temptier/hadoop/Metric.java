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
package io.temptier.hadoop;

/** A number shown through Metrics2 and JMX: its name, what it counts, in what unit. */
public interface Metric {
  /** Whether it only grows. */
  TierCounter.Type type();

  /** What is counted. */
  TierCounter.Unit unit();

  /** Its name in JMX, Metrics2 and JSON. */
  String attribute();

  /** What it says, in one or two sentences of Markdown. */
  String doc();
}
