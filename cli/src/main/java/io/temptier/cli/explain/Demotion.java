// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.explain;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.temptier.tier.LocalDir;
import io.temptier.tier.TierLayout;
import io.temptier.tier.marker.NodeMarker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** That a file was moved down: a link is where it was, and its bytes are in a slower dir. */
final class Demotion {

  /** A file that went down twice has a link of one step; more steps are of a move under way. */
  private static final int MOST_LINKS = 8;

  /** Where it was, and is still found. */
  final Path link;

  final LocalDir from;

  /** Where its bytes are. */
  final Path copy;

  final LocalDir to;

  /** When the link took its place. */
  private final Instant at;

  private Demotion(Path link, LocalDir from, Path copy, LocalDir to, Instant at) {
    this.link = link;
    this.from = from;
    this.copy = copy;
    this.to = to;
    this.at = at;
  }

  /** Of a file that is asked for by its link or by its copy; empty when it is neither. */
  static Optional<Demotion> of(Path file, TierLayout layout) {
    if (Files.isSymbolicLink(file)) {
      return byLink(file, layout);
    }
    LocalDir dir = layout.dirOf(file).orElse(null);
    if (dir == null) {
      return Optional.empty();
    }
    List<LocalDir> faster = layout.dirs().subList(0, layout.dirs().indexOf(dir));
    return faster.stream()
        .flatMap(each -> Journals.names(each.path().resolve(dir.path().relativize(file))))
        .filter(Files::isSymbolicLink)
        .map(link -> byLink(link, layout))
        .filter(moved -> moved.filter(it -> it.copy.equals(file)).isPresent())
        .findFirst()
        .orElseGet(Optional::empty);
  }

  private static Optional<Demotion> byLink(Path link, TierLayout layout) {
    try {
      Path copy = link;
      for (int i = 0; i < MOST_LINKS && Files.isSymbolicLink(copy); i++) {
        copy = copy.resolveSibling(Files.readSymbolicLink(copy)).normalize();
      }
      LocalDir from = layout.dirOf(link).orElse(null);
      LocalDir to = layout.dirOf(copy).orElse(null);
      if (from == null
          || to == null
          || from.equals(to)
          || !Files.isRegularFile(copy, LinkOption.NOFOLLOW_LINKS)) {
        return Optional.empty();
      }
      Instant at = Files.getLastModifiedTime(link, LinkOption.NOFOLLOW_LINKS).toInstant();
      return Optional.of(new Demotion(link, from, copy, to, at));
    } catch (IOException e) {
      // It ended meanwhile.
      return Optional.empty();
    }
  }

  /** What moved it, as far as it can still be told. */
  private String cause() {
    return NodeMarker.draining(from.path())
        ? "that dir is being drained"
        : "its tier was filled above temptier.demotion.high, or the dir was drained";
  }

  /** As programs read it. */
  ObjectNode json() {
    return JsonNodeFactory.instance
        .objectNode()
        .put("timeMillis", at.toEpochMilli())
        .put("fromMedium", from.medium().name())
        .put("fromDir", from.path().toString())
        .put("toMedium", to.medium().name())
        .put("toDir", to.path().toString())
        .put("link", link.toString())
        .put("why", cause());
  }
}
