// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion.asuser;

import com.google.auto.value.AutoValue;
import io.temptier.tier.lang.Immutable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/** The NodeManager's files for one helper. */
@AutoValue
abstract class HelperFiles {
  /** What the container executor copies for its user; it has no secret in it. */
  abstract Path credentials();

  /** By which the helper hears. */
  abstract Path orders();

  /** By which it speaks. */
  abstract Path pipe();

  /** Names of files that do not exist yet. */
  static HelperFiles in(Scratch scratch) {
    String name = UUID.randomUUID().toString();
    return new AutoValue_HelperFiles(
        scratch.own().resolve(name),
        scratch.orders().resolve(name),
        scratch.own().resolve(name + ".pipe"));
  }

  void delete() throws IOException {
    for (Path file : Immutable.listOf(credentials(), orders(), pipe())) {
      Files.deleteIfExists(file);
    }
  }
}
