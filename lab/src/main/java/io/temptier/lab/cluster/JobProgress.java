// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.cluster;

import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Says how far a job is, of all that its client prints. Thread safe if what it tells is. */
public record JobProgress(String name, Consumer<String> progress) implements Consumer<String> {
  private static final Pattern PROGRESS = Pattern.compile("map \\d+% reduce \\d+%");

  @Override
  public void accept(String line) {
    Matcher matcher = PROGRESS.matcher(line);
    if (matcher.find()) {
      progress.accept(name + ": " + matcher.group());
    }
  }
}
