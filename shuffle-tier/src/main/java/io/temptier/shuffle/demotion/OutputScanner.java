// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import io.temptier.hadoop.conf.TierKey;
import io.temptier.shuffle.output.MapOutputId;
import io.temptier.shuffle.output.OutputIndex;
import io.temptier.tier.LocalDir;
import io.temptier.tier.os.FileStamp;
import io.temptier.tier.os.OwnFolder;
import io.temptier.tier.os.UserFile;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.mapred.IndexRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the map outputs of running applications in a dir, and tells which are written to their end.
 * Follows no links below the dir. Whatever lies in a file's place costs a moment at most. Safe for
 * use by many threads.
 */
final class OutputScanner {
  /** A link in the file's place takes an inode, and a block for a path of usual length. */
  static final long SMALLEST_BYTES = 16 << 10;

  private static final Logger LOG = LoggerFactory.getLogger(OutputScanner.class);

  private final Demoter.Host host;
  private final MoveContext context;
  private final DemotionTally tally;

  OutputScanner(Demoter.Host host, MoveContext context, DemotionTally tally) {
    this.host = host;
    this.context = context;
    this.tally = tally;
  }

  /**
   * Looks through a dir.
   *
   * @param running users by application id
   * @return what can be moved if it is complete, in no order
   * @throws IOException when nothing is found, and something could not be read
   */
  List<Candidate> scan(LocalDir dir, Map<String, String> running) throws IOException {
    List<Candidate> found = new ArrayList<>();
    IOException failure = null;
    for (Map.Entry<String, String> entry : running.entrySet()) {
      try {
        scan(dir, entry.getValue(), entry.getKey(), found);
      } catch (OwnFolder.ForeignException e) {
        foreign(e.folder());
      } catch (AccessDeniedException e) {
        // Whoever closes a folder to the NodeManager keeps its outputs where they are.
        LOG.debug("Left alone", e);
      } catch (IOException e) {
        // Its user may have brought that about, as by exchanging a folder: others' move.
        LOG.debug("Outputs of {} in {} stay", entry.getKey(), dir, e);
        failure = e;
      }
    }
    if (failure != null) {
      if (found.isEmpty()) {
        throw failure;
      }
      tally.unread(failure);
    }
    return found;
  }

  private void foreign(Path folder) {
    if (context.othersToo()) {
      // It does not even belong to the user whose application it is.
      LOG.debug("{} is left alone", folder);
    } else {
      tally.offForGood(
          folder
              + " belongs to another user than this NodeManager's, and it can run nothing as that"
              + " user: for that, yarn.nodemanager.container-executor.class has to be Hadoop's"
              + " LinuxContainerExecutor, and the program setsid be installed. Files go to the"
              + " next tier once a dir is full; set "
              + TierKey.DEMOTION_ENABLED
              + "=false to say so");
    }
  }

  private void scan(LocalDir dir, String user, String application, List<Candidate> found)
      throws IOException {
    int uid = context.uid(dir, user);
    Optional<OwnFolder> opened =
        OwnFolder.open(dir.path(), MapOutputId.outputs(user, application), uid);
    if (!opened.isPresent()) {
      return;
    }
    try (OwnFolder outputs = opened.get()) {
      for (String name : outputs.names(MapOutputId.ATTEMPT)) {
        MapOutputId id = MapOutputId.of(user, application, name);
        if (id.isFinal()) {
          try {
            look(id, dir, outputs.path(), uid, found);
          } catch (AccessDeniedException e) {
            LOG.debug("Left alone", e);
          }
        }
      }
    }
  }

  private void look(MapOutputId id, LocalDir dir, Path outputs, int uid, List<Candidate> found)
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
      foreign(folder);
      return;
    }
    found.add(Candidate.of(id, dir, file, host.fetched(id)));
  }

  /**
   * True if an output is written to its end: an index in one of the dirs is whole, and its last
   * partition ends where the data do. Hadoop writes the index of a merged output before it closes
   * the data, so that only the length tells.
   *
   * <p>The dir that the data lies in, which is the asking thread's, is asked first, and waited for.
   * Where another does not answer, the output does not count as whole.
   */
  boolean complete(Candidate candidate) {
    MapOutputId id = candidate.id();
    long bytes = candidate.stamp().bytes();
    try {
      return ends(candidate.dir(), id, bytes);
    } catch (IOException e) {
      // Not there, or it cannot be read.
    }
    for (LocalDir dir : context.dirs) {
      try {
        if (!dir.equals(candidate.dir())) {
          return context.look(dir, () -> endsIfThere(dir, id, bytes));
        }
      } catch (IOException e) {
        // Not there, it cannot be read, or the dir does not answer.
      }
      if (Thread.currentThread().isInterrupted()) {
        break;
      }
    }
    return false;
  }

  /** The look comes first, as it hangs where the disk does; to open a file gives up by itself. */
  private static boolean endsIfThere(LocalDir dir, MapOutputId id, long bytes) throws IOException {
    FileStamp.of(dir.path().resolve(id.relativePath()).resolve(MapOutputId.INDEX));
    return ends(dir, id, bytes);
  }

  /** True if the last partition ends with the data, and none after it. */
  private static boolean ends(LocalDir dir, MapOutputId id, long bytes) throws IOException {
    Path path = id.relativePath().resolve(MapOutputId.INDEX);
    try (FileChannel file = UserFile.openRegular(dir.path(), path, MoveContext.PATIENCE)) {
      if (file.size() > OutputIndex.LARGEST_BYTES) {
        return false;
      }
      OutputIndex index = OutputIndex.read(file, path, (int) file.size());
      long end = 0;
      for (int partition = 0; partition < index.size(); partition++) {
        IndexRecord record = index.getIndex(partition, bytes);
        end = Math.max(end, record.startOffset + record.partLength);
      }
      return end == bytes;
    }
  }
}
