// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.s3a.client;

import java.util.List;
import java.util.Locale;

/**
 * What an arm is asked to do.
 *
 * @param work what
 * @param count how much of it; each {@link Work} says of what
 * @param seed of what is random in it: the same for all arms, so that they do the same
 * @param folder the URI of the folder that it is about
 */
public record Request(Work work, long count, long seed, String folder) {
  private static final int PARTS = 4;

  /** As a line. */
  public String line() {
    return work.name().toLowerCase(Locale.ROOT) + " " + count + " " + seed + " " + folder;
  }

  /** From a line. */
  static Request parse(String line) {
    List<String> parts = List.of(line.split(" ", PARTS));
    return new Request(
        Work.valueOf(parts.get(0).toUpperCase(Locale.ROOT)),
        Long.parseLong(parts.get(1)),
        Long.parseLong(parts.get(2)),
        parts.get(3));
  }
}
