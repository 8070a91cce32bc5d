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

/** What the exit code of every command means. */
public final class ExitCodes {
  /** The command did what it was asked, and what it looked at is fine. */
  public static final int FINE = 0;

  /** The command failed, or what it looked at is not fine. */
  public static final int FAILED = 1;

  /** The command line itself is wrong; nothing was done. */
  public static final int WRONG_USE = 2;

  private ExitCodes() {}
}
