// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.explain;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.auto.value.AutoValue;
import io.temptier.tier.LocalDir;
import io.temptier.tier.TierLayout;
import io.temptier.tier.marker.NodeMarker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.stream.Stream;

/** That a file was moved down: a link is where it was, and its bytes are in a slower dir. */
@AutoValue
abstract class Demotion {

  /** A file that went down twice has a link of one step; more steps are of a move under way. */
  private static final int MOST_LINKS = 8;

  /** Where it was, and is still found. */
  abstract Path link();

  abstract LocalDir from();

  /** Where its bytes are. */
  abstract Path copy();

  abstract LocalDir to();

  /** When the link took its place. */
  abstract Instant at();

  static Demotion of(Path link, LocalDir from, Path copy, LocalDir to, Instant at) {
    return new AutoValue_Demotion(link, from, copy, to, at);
  }

  /** Of a file that is asked for by its link or by its copy; empty when it is neither. */
  static Optional<Demotion> of(Path file, TierLayout layout) {
    if (Files.isSymbolicLink(file)) {
      return byLink(file, layout);
    }
    Optional<LocalDir> dir = layout.dirOf(file);
    return layout.dirs().stream()
        .takeWhile(faster -> dir.isPresent() && !faster.equals(dir.get()))
        .flatMap(faster -> Journals.names(faster.path().resolve(dir.get().path().relativize(file))))
        .filter(Files::isSymbolicLink)
        .flatMap(link -> byLink(link, layout).map(Stream::of).orElseGet(Stream::empty))
        .filter(moved -> moved.copy().equals(file))
        .findFirst();
  }

  private static Optional<Demotion> byLink(Path link, TierLayout layout) {
    try {
      Path copy = link;
      for (int i = 0; i < MOST_LINKS && Files.isSymbolicLink(copy); i++) {
        copy = copy.resolveSibling(Files.readSymbolicLink(copy)).normalize();
      }
      Optional<LocalDir> from = layout.dirOf(link);
      Optional<LocalDir> to = layout.dirOf(copy);
      return from.isPresent()
              && to.isPresent()
              && !from.equals(to)
              && Files.isRegularFile(copy, LinkOption.NOFOLLOW_LINKS)
          ? Optional.of(
              Demotion.of(
                  link,
                  from.get(),
                  copy,
                  to.get(),
                  Files.getLastModifiedTime(link, LinkOption.NOFOLLOW_LINKS).toInstant()))
          : Optional.empty();
    } catch (IOException e) {
      // It ended meanwhile.
      return Optional.empty();
    }
  }

  /** What moved it, as far as it can still be told. */
  private String cause() {
    return Files.exists(from().path().resolve(NodeMarker.DIR).resolve(NodeMarker.DRAIN))
        ? "that dir is being drained"
        : "its tier was filled above temptier.demotion.high, or the dir was drained";
  }

  /** The move in a sentence. */
  String text() {
    return String.format(
        "it was demoted at %s from %s, %s, to %s, %s: %s",
        at().truncatedTo(ChronoUnit.SECONDS),
        from().medium(),
        from().path(),
        to().medium(),
        to().path(),
        cause());
  }

  /** The same for programs. */
  ObjectNode json() {
    return JsonNodeFactory.instance
        .objectNode()
        .put("timeMillis", at().toEpochMilli())
        .put("fromMedium", from().medium().name())
        .put("fromDir", from().path().toString())
        .put("toMedium", to().medium().name())
        .put("toDir", to().path().toString())
        .put("link", link().toString())
        .put("why", cause());
  }
}
