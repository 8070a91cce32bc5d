// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import com.google.auto.value.AutoValue;
import io.temptier.shuffle.output.MapOutputId;
import io.temptier.tier.LocalDir;
import io.temptier.tier.os.FileStamp;
import io.temptier.tier.os.OwnFolder;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds the map outputs of running applications in a dir. Follows no links below the dir. */
final class OutputScanner {
  /** A link in the file's place takes an inode, and a block for a path of usual length. */
  static final long SMALLEST_BYTES = 16 << 10;

  /** What every name of a folder of outputs begins with. */
  static final String ATTEMPT = "attempt_";

  private static final Logger LOG = LoggerFactory.getLogger(OutputScanner.class);

  /**
   * {@code attempt_TIME_JOB_m_TASK_ATTEMPT} of MapReduce, {@code
   * attempt_TIME_APP_DAG_VERTEX_TASK_ATTEMPT_ID} of Tez. One number more is a spill of Tez, which
   * it deletes when it has merged them: of one that was moved it would delete the link only.
   */
  private static final Pattern FINAL =
      Pattern.compile("attempt_\\d+_\\d+_(m(_\\d+){2}|\\d+(_\\d+){4})");

  private final FetchedShare fetched;
  private final OutputOwners owners;

  /**
   * A scanner.
   *
   * @param fetched tells how far an output was fetched
   * @param owners tells whose files can be moved
   */
  OutputScanner(FetchedShare fetched, OutputOwners owners) {
    this.fetched = fetched;
    this.owners = owners;
  }

  /** What a scan found. */
  @AutoValue
  abstract static class Found {
    /** What can be moved if it is complete, in no order. */
    abstract List<Candidate> candidates();

    /** Folders on the way to outputs that belong to a user whose files are not moved. */
    abstract List<Path> foreign();

    static Found of(List<Candidate> candidates, List<Path> foreign) {
      return new AutoValue_OutputScanner_Found(candidates, foreign);
    }
  }

  /** The folder of an application's outputs in a dir. */
  static Path outputs(LocalDir dir, String user, String application) {
    return dir.path().resolve(outputs(user, application));
  }

  /** The folder of an application's outputs below a dir. */
  static Path outputs(String user, String application) {
    return Paths.get("usercache", user, "appcache", application, "output");
  }

  /** The folder of an application in a dir. */
  static Path application(LocalDir dir, String user, String application) {
    return dir.path().resolve(Paths.get("usercache", user, "appcache", application));
  }

  /** Whether a folder of that name has a task's final output, as MapReduce and Tez name it. */
  static boolean isFinal(String attempt) {
    return FINAL.matcher(attempt).matches();
  }

  /**
   * Looks through a dir.
   *
   * @param running users by application id
   * @throws IOException when the dir cannot be read
   */
  Found scan(LocalDir dir, Map<String, String> running) throws IOException {
    Found found = Found.of(new ArrayList<>(), new ArrayList<>());
    for (Map.Entry<String, String> entry : running.entrySet()) {
      try {
        scan(dir, entry.getValue(), entry.getKey(), found);
      } catch (OwnFolder.ForeignException e) {
        foreign(e.folder(), found);
      }
    }
    return found;
  }

  private void foreign(Path folder, Found found) {
    if (owners.othersToo()) {
      // It does not even belong to the user whose application it is.
      LOG.debug("{} is left alone", folder);
    } else {
      found.foreign().add(folder);
    }
  }

  private void scan(LocalDir dir, String user, String application, Found found) throws IOException {
    int uid = owners.uid(dir, user);
    Optional<OwnFolder> opened = OwnFolder.open(dir.path(), outputs(user, application), uid);
    if (!opened.isPresent()) {
      return;
    }
    try (OwnFolder outputs = opened.get()) {
      for (String name : outputs.names(ATTEMPT)) {
        if (isFinal(name)) {
          try {
            look(MapOutputId.of(user, application, name), dir, outputs.path(), uid, found);
          } catch (AccessDeniedException e) {
            // Whoever closes a folder to the NodeManager keeps its output where it is.
            LOG.debug("Left alone", e);
          }
        }
      }
    }
  }

  private void look(MapOutputId id, LocalDir dir, Path outputs, int uid, Found found)
      throws IOException {
    Path folder = outputs.resolve(id.attempt());
    Optional<FileStamp> parent = FileStamp.find(folder);
    if (!parent.isPresent() || !parent.get().directory() || parent.get().forEverybody()) {
      return;
    }
    Optional<FileStamp> data = FileStamp.find(folder.resolve(MapOutputId.DATA));
    if (!data.isPresent()) {
      // It has no output, or is being deleted.
      return;
    }
    FileStamp file = data.get();
    if (!file.regular() || file.bytes() < SMALLEST_BYTES || file.links() != 1) {
      return;
    }
    if (parent.get().uid() != uid || file.uid() != uid) {
      foreign(folder, found);
      return;
    }
    found.candidates().add(Candidate.of(id, dir, file, fetched.fraction(id)));
  }
}
