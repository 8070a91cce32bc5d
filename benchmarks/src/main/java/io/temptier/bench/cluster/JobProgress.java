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
package io.temptier.bench.cluster;

import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Says how far a job is, of all that its client prints. Thread safe if what it tells is. */
public final class JobProgress implements Consumer<String> {
  private static final Pattern PROGRESS = Pattern.compile("map \\d+% reduce \\d+%");

  private final String name;
  private final Consumer<String> progress;

  /**
   * For one job.
   *
   * @param name of the job, for people
   * @param progress hears it
   */
  public JobProgress(String name, Consumer<String> progress) {
    this.name = name;
    this.progress = progress;
  }

  @Override
  public void accept(String line) {
    Matcher matcher = PROGRESS.matcher(line);
    if (matcher.find()) {
      progress.accept(name + ": " + matcher.group());
    }
  }
}
