// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.explain;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.auto.value.AutoValue;
import io.temptier.tier.FileKind;
import io.temptier.tier.LocalDir;
import io.temptier.tier.journal.PlacementRecord;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Where one file lies, and why. */
@AutoValue
abstract class Explanation {
  abstract Path file();

  /** The local dir that holds it; null when none does. */
  abstract @Nullable LocalDir dir();

  abstract FileKind kind();

  /** Its size; -1 when it is no longer there. */
  abstract long bytes();

  /** The decision that put it there, if it was written down. */
  abstract Optional<PlacementRecord> record();

  /**
   * How the record comes to speak of this file, or why there is none; empty when the record is the
   * file's own.
   */
  abstract String note();

  /** That it was moved down since; {@code dir} and {@code bytes} are those of its copy. */
  abstract Optional<Demotion> demotion();

  static Explanation of(
      Path file,
      @Nullable LocalDir dir,
      FileKind kind,
      long bytes,
      Optional<PlacementRecord> record,
      String note,
      Optional<Demotion> demotion) {
    return new AutoValue_Explanation(file, dir, kind, bytes, record, note, demotion);
  }

  /** One that lies where it was put. */
  static Explanation of(
      Path file,
      @Nullable LocalDir dir,
      FileKind kind,
      long bytes,
      Optional<PlacementRecord> record,
      String note) {
    return of(file, dir, kind, bytes, record, note, Optional.empty());
  }

  /** Whether it is the copy of a file that is among these by its link. */
  boolean isCopyBesideItsLink(Set<Path> files) {
    return demotion()
        .filter(moved -> file().equals(moved.copy()) && files.contains(moved.link()))
        .isPresent();
  }

  boolean exists() {
    return bytes() >= 0;
  }

  /** The tier it lies on, in words. */
  String medium() {
    return dir() == null ? "no local dir" : dir().medium().toString();
  }

  /** The reason in a sentence, or that there is none. */
  String why() {
    return demotion()
        .map(Demotion::text)
        .orElseGet(() -> record().map(PlacementRecord::why).orElse("no record"));
  }

  /** The same for programs. */
  ObjectNode json() {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("path", file().toString()).put("exists", exists());
    if (dir() != null) {
      node.put("medium", dir().medium().name()).put("dir", dir().path().toString());
    }
    node.put("kind", kind().toString());
    if (exists()) {
      node.put("bytes", bytes());
    }
    demotion().ifPresent(moved -> node.set("demoted", moved.json()));
    node.put("recorded", record().isPresent());
    record().ifPresent(made -> node.set("decision", of(made)));
    if (!note().isEmpty()) {
      node.put("note", note());
    }
    return node;
  }

  private static ObjectNode of(PlacementRecord record) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("why", record.why())
        .put("reason", record.reason().name())
        .put("medium", record.medium().name())
        .put("spilledDown", record.spilledDown());
    node.putPOJO("refusals", record.refusals());
    return node.put("expectedBytes", record.bytes())
        .put("sizeKnown", record.sizeKnown())
        .put("timeMillis", record.timeMillis())
        .put("pid", record.pid())
        .put("application", record.application());
  }
}
