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
package io.temptier.tier;

/**
 * Something a configuration check has to say. The NodeManager logs findings at start; the doctor
 * prints them.
 *
 * @param severity how bad it is
 * @param key the property at fault
 * @param value its value, or what was found in its place
 * @param origin where the value came from, such as a file name or {@code default}
 * @param consequence what happens because of it
 * @param remedy what to do about it
 */
public record Finding(
    Severity severity, String key, String value, String origin, String consequence, String remedy) {

  /** How bad a finding is. */
  public enum Severity {
    /** Good to know. */
    INFO,
    /** Works, but not as well as it could. */
    WARNING,
    /** TempTier stays off and stock Hadoop behaviour applies until this is mended. */
    ERROR
  }

  @Override
  public String toString() {
    return severity + " " + key + "=" + value + " (" + origin + "): " + consequence + " " + remedy;
  }
}
