// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion.asuser;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import com.google.auto.value.AutoValue;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.os.Capacity;
import io.temptier.tier.os.FileStamp;
import io.temptier.tier.os.OwnFolder;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the container executor is given in place of the node's dirs, for helpers alone: given the
 * real ones it would make the folders of an application again that has just been deleted. All of it
 * belongs to the NodeManager, but for the folders of applications.
 */
@AutoValue
public abstract class Scratch {

  /** Below a local dir. */
  static final Path PLACE = Paths.get(".temptier", "as-user");

  private static final String USERCACHE = "usercache";
  private static final String APPCACHE = "appcache";

  /** What everybody may pass through, and nobody list. */
  private static final String PASSAGE = "rwx--x--x";

  private static final String PUBLIC = "rwxr-xr-x";
  private static final String PRIVATE = "rwx------";

  /** What a helper writes there is far less. */
  private static final long LEAST_BYTES = 16 << 20;

  private static final long LEAST_INODES = 100;

  /** In the fastest local dir. */
  public abstract Path root();

  public static Scratch of(Path root) {
    return new AutoValue_Scratch(root);
  }

  /** Whether a dir has room for it. */
  static boolean roomy(Capacity capacity) {
    return capacity.usableBytes() >= LEAST_BYTES
        && (capacity.totalInodes() == 0 || capacity.freeInodes() >= LEAST_INODES);
  }

  /**
   * Makes what is missing of it.
   *
   * @throws IOException when that cannot be done, or something of it is a link
   */
  static Scratch make(Path localDir) throws IOException {
    Scratch scratch = Scratch.of(localDir.resolve(PLACE));
    Files.createDirectories(localDir.resolve(PLACE).getParent());
    folder(scratch.root(), PASSAGE);
    folder(scratch.localDir(), PUBLIC);
    folder(scratch.localDir().resolve(USERCACHE), PUBLIC);
    folder(scratch.logDir(), PUBLIC);
    folder(scratch.orders(), PASSAGE);
    folder(scratch.jars(), PASSAGE);
    folder(scratch.own(), PRIVATE);
    return scratch;
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

  /** Where a helper of the application works. */
  public Path folder(ApplicationUser who) {
    return localDir()
        .resolve(USERCACHE)
        .resolve(who.user())
        .resolve(APPCACHE)
        .resolve(who.application());
  }

  /** What the executor makes for the logs of the application. */
  Path logs(ApplicationUser who) {
    return logDir().resolve(who.application());
  }

  /** What helpers are told, which they can read. */
  Path orders() {
    return root().resolve("orders");
  }

  /** Copies of jars that an upgrade deleted, which helpers can read. */
  Path jars() {
    return root().resolve("jars");
  }

  /** What is the NodeManager's alone. */
  Path own() {
    return root().resolve("own");
  }

  /** Deletes the NodeManager's files of earlier processes of it. */
  void deleteOwn() throws IOException {
    for (Path folder : Immutable.listOf(orders(), jars(), own())) {
      for (Path file : entries(folder)) {
        Files.deleteIfExists(file);
      }
    }
  }

  /** Applications that have a folder here, of whatever age. */
  List<ApplicationUser> applications() throws IOException {
    List<ApplicationUser> found = new ArrayList<>();
    for (Path home : entries(localDir().resolve(USERCACHE))) {
      String user = String.valueOf(home.getFileName());
      int uid = FileStamp.of(home).uid();
      String runAs = Files.getOwner(home, NOFOLLOW_LINKS).getName();
      try (@Nullable OwnFolder applications =
          OwnFolder.open(localDir(), Paths.get(USERCACHE, user, APPCACHE), uid).orElse(null)) {
        if (applications != null) {
          for (String application : applications.names("application_")) {
            found.add(ApplicationUser.of(application, user, runAs, uid));
          }
        }
      } catch (OwnFolder.ForeignException e) {
        // What somebody put there is nothing of ours.
      }
    }
    return found;
  }

  private static List<Path> entries(Path folder) throws IOException {
    List<Path> all = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
      entries.forEach(all::add);
    }
    return all;
  }
}
