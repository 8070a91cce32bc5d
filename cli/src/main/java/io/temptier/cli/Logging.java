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
package io.temptier.cli;

/**
 * Keeps Hadoop's log lines off the terminal. The log4j configuration has a name of its own and is
 * asked for by a system property, so that this jar never changes the logging of a JVM that merely
 * has it on its classpath.
 */
final class Logging {
  private static final String CONFIGURATION = "log4j.configuration";

  private Logging() {}

  /**
   * Points log4j at our configuration, unless the user has chosen one. To be called before the
   * first class that logs is loaded.
   *
   * @param debug whether logs are to be shown on standard error
   */
  static void configure(boolean debug) {
    if (System.getProperty(CONFIGURATION) == null) {
      System.setProperty(CONFIGURATION, "io/temptier/cli/logging.properties");
      System.setProperty("temptier.log.level", debug ? "INFO" : "OFF");
    }
  }
}
