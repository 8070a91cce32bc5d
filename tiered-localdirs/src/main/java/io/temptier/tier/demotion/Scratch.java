// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.demotion;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import com.google.auto.value.AutoValue;
import io.temptier.tier.LocalDir;
import io.temptier.tier.demotion.UserProcesses.ApplicationUser;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.marker.NodeMarker;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;

/**
 * Folders that the container executor is given in place of the node's dirs: given the real ones it
 * would make the folders of an application again that has just been deleted. All of it belongs to
 * the NodeManager, but for the folders of applications.
 */
@AutoValue
public abstract class Scratch {
  private static final String PLACE = "as-user";
  private static final String USERCACHE = "usercache";
  private static final String APPCACHE = "appcache";

  /** Mode of folders that everybody may pass through, and nobody list. */
  private static final String PASSAGE = "rwx--x--x";

  private static final String PUBLIC = "rwxr-xr-x";
  private static final String PRIVATE = "rwx------";

  abstract Path root();

  static Scratch in(Path localDir) {
    return new AutoValue_Scratch(localDir.resolve(NodeMarker.DIR).resolve(PLACE));
  }

  /** Makes what is missing of it; throws when something of it is a link. */
  void make() throws IOException {
    Files.createDirectories(root().getParent());
    folder(root(), PASSAGE);
    folder(localDir(), PUBLIC);
    folder(localDir().resolve(USERCACHE), PUBLIC);
    folder(logDir(), PUBLIC);
    folder(jars(), PASSAGE);
    folder(own(), PRIVATE);
  }

  private static void folder(Path path, String permissions) throws IOException {
    try {
      Files.createDirectory(path);
    } catch (FileAlreadyExistsException e) {
      if (!Files.isDirectory(path, NOFOLLOW_LINKS)) {
        throw e;
      }
    }
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
  }

  public Path localDir() {
    return root().resolve("local");
  }

  public Path logDir() {
    return root().resolve("logs");
  }

  public Path folder(ApplicationUser owner) {
    return localDir().resolve(LocalDir.application(owner.user(), owner.application()));
  }

  Path logs(ApplicationUser owner) {
    return logDir().resolve(owner.application());
  }

  /** Copies of jars that an upgrade deleted, which users can read. */
  Path jars() {
    return root().resolve("jars");
  }

  Path own() {
    return root().resolve("own");
  }

  void deleteOwn() throws IOException {
    for (Path folder : Immutable.listOf(jars(), own())) {
      for (Path file : entries(folder)) {
        Files.deleteIfExists(file);
      }
    }
  }

  /** Returns what processes left as users; each entry belongs to its user. */
  List<Path> left() throws IOException {
    List<Path> left = entries(logDir());
    for (Path home : entries(localDir().resolve(USERCACHE))) {
      Path applications = home.resolve(APPCACHE);
      if (Files.exists(applications, NOFOLLOW_LINKS)) {
        left.add(applications);
      }
    }
    return left;
  }

  private static List<Path> entries(Path folder) throws IOException {
    List<Path> all = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
      entries.forEach(all::add);
    }
    return all;
  }
}
