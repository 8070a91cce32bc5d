// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.marker;

import io.temptier.tier.lang.Strings;
import io.temptier.tier.os.FileStamp;
import io.temptier.tier.os.Io;
import io.temptier.tier.os.TimedCalls;
import io.temptier.tier.text.Sizes;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The marker by which a NodeManager tells tasks what it resolved: a small properties file, {@code
 * .temptier/layout}, under each local dir root.
 *
 * <p>Whom to trust: the marker decides where a task writes, so only the owner of the root (the
 * NodeManager's user, see {@link #keeper}) and root may set it. The folder must be a real one and
 * the marker a regular file, each owned by one of the two; a marker that a job plants in a folder
 * of its own is beneath {@code usercache/}, where no marker counts that has one above it. A marker
 * that is missing, not trusted, unreadable, corrupt or of another version is none, and stock places
 * the task's files.
 *
 * <p>Published atomically: a reader sees the old marker or the new one, whole. All methods are safe
 * for use by many threads and processes.
 */
public final class NodeMarker {
  /** Folder of TempTier's own files under each root. */
  public static final String DIR = ".temptier";

  /** The marker, in {@link #DIR}. */
  public static final String LAYOUT = "layout";

  /** File in {@link #DIR} that says why the NodeManager's TempTier is off. */
  public static final String OFF = "off";

  /** File in {@link #DIR} with the NodeManager's measurements, so that tasks need not walk. */
  public static final String STATE = "state";

  /** File in {@link #DIR} of the fastest dir that takes it: how the disks of all dirs answer. */
  public static final String DEVICES = "devices";

  /** File in {@link #DIR} that the NodeManager writes to see whether the dir answers. */
  public static final String WATCH = "watch";

  /** Folder of claims, in {@link #DIR}. */
  public static final String CLAIMS = "claims";

  /** The mark, in {@link #DIR}, while nothing new is to be written to the dir. */
  public static final String DRAIN = "drain";

  private static final FileAttribute<?> OWN_FILE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  private static final Logger LOG = LoggerFactory.getLogger(NodeMarker.class);
  private static final String UNFINISHED = ".tmp";
  private static final String USER_CACHE = "usercache";
  private static final String HEADER =
      "# Written by TempTier's NodeManager for the tasks of this node. Changes are overwritten.\n";

  /** Far more than a marker of a hundred dirs; a larger one is not read. */
  private static final long MAX_BYTES = 1 << 20;

  /** Bounds the memory of what was logged, should somebody make ever new roots. */
  private static final int MAX_LOGGED = 1024;

  private static final int OTHERS_WRITE = 0022;

  /** The files are in the page cache of a sound node; a thread may wait that long for a core. */
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  private static final TimedCalls READS = new TimedCalls("TempTier marker", 1);
  private static final Set<String> LOGGED = ConcurrentHashMap.newKeySet();

  private NodeMarker() {}

  /** Publishes what the node resolved. When it throws, an older marker is still whole. */
  public static void write(Path root, NodeTiers tiers) throws IOException {
    Path dir = root.resolve(DIR);
    if (!Files.isDirectory(dir, LinkOption.NOFOLLOW_LINKS)) {
      Files.createDirectory(dir);
    }
    Files.setPosixFilePermissions(dir, PosixFilePermissions.fromString("rwxr-xr-x"));
    publish(dir.resolve(LAYOUT), MarkerCodec.encode(tiers));
    Files.deleteIfExists(dir.resolve(OFF));
  }

  /**
   * Publishes properties in one of our files, whole and readable for everybody, whatever the umask.
   * Equal properties give equal bytes.
   */
  public static void publish(Path file, Properties properties) throws IOException {
    StringWriter out = new StringWriter();
    properties.store(out, null);
    publish(
        file,
        Strings.lines(out.toString())
            .filter(line -> !line.startsWith("#"))
            .sorted()
            .collect(Collectors.joining("\n", HEADER, "\n")));
  }

  /** Publishes a text by one temporary name for each file, after deleting what is left of it. */
  private static void publish(Path file, String text) throws IOException {
    Path temp = file.resolveSibling(file.getFileName() + UNFINISHED);
    Files.deleteIfExists(temp);
    try {
      // However lax the umask: who has it open could write it when it is believed.
      Files.createFile(temp, OWN_FILE);
      Io.writeString(temp, text, StandardOpenOption.WRITE);
      Files.setPosixFilePermissions(temp, PosixFilePermissions.fromString("rw-r--r--"));
      Files.move(temp, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException | RuntimeException e) {
      temp.toFile().delete();
      throw e;
    }
  }

  /** Deletes what a NodeManager that was killed had begun to publish; false if some is left. */
  public static boolean removeUnfinished(Path folder) {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*" + UNFINISHED)) {
      for (Path file : files) {
        Files.deleteIfExists(file);
      }
      return true;
    } catch (IOException | DirectoryIteratorException e) {
      LOG.debug("Something is left in {}", folder, e);
      return false;
    }
  }

  /** True if an operator is draining the dir at {@code root}. */
  public static boolean draining(Path root) {
    return Files.isRegularFile(root.resolve(DIR).resolve(DRAIN), LinkOption.NOFOLLOW_LINKS);
  }

  /**
   * Takes the marker back, so that tasks no longer follow it, and tells why where TempTier has a
   * folder and it can be written. No marker is no error.
   */
  public static void remove(Path root, String why) throws IOException {
    Path dir = root.resolve(DIR);
    Files.deleteIfExists(dir.resolve(LAYOUT));
    try {
      if (Files.isDirectory(dir, LinkOption.NOFOLLOW_LINKS)) {
        boolean unused = removeUnfinished(dir);
        publish(dir.resolve(OFF), why + "\n");
      }
    } catch (IOException e) {
      LOG.debug("{} does not tell that TempTier is off", dir, e);
    }
  }

  /** Tells why TempTier is off in {@code root}'s NodeManager; empty when it does not say. */
  public static Optional<String> whyOff(Path root) {
    try {
      return distrust(root, OFF).isPresent()
          ? Optional.empty()
          : Optional.of(Io.readString(root.resolve(DIR).resolve(OFF)).trim());
    } catch (IOException | RuntimeException e) {
      return Optional.empty();
    }
  }

  /**
   * Reads the tiers that the NodeManager published under {@code root}.
   *
   * @return empty when there is no marker, or none that can be trusted and understood; the latter
   *     is logged once per root
   */
  public static Optional<NodeTiers> read(Path root) {
    Path marker = root.resolve(DIR).resolve(LAYOUT);
    try {
      Optional<String> distrust = distrust(root, LAYOUT);
      if (distrust.isPresent()) {
        logOnce(marker, distrust.get());
        return Optional.empty();
      }
      Properties properties = new Properties();
      properties.load(new StringReader(Io.readString(marker)));
      return Optional.of(MarkerCodec.decode(properties));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException | RuntimeException e) {
      logOnce(marker, Objects.toString(e.getMessage(), e.toString()));
      return Optional.empty();
    }
  }

  /**
   * Reads the tiers that the NodeManager published from the first of a task's dirs that answers;
   * every marker of a node tells of all its dirs. A new process does not know which dirs hang, so
   * each is asked on a borrowed thread: a dir that hangs costs the process {@link #PATIENCE} once.
   *
   * @param taskDirs absolute; in local dirs or local dirs themselves
   * @return empty when no dir that answers has a trusted one. With no other dir left, those that
   *     did not answer in time are waited for, as stock Hadoop would wait for them
   */
  public static Optional<NodeTiers> readFirst(List<Path> taskDirs) {
    List<Path> late = new ArrayList<>();
    Optional<NodeTiers> marked = Optional.empty();
    for (Path dir : taskDirs) {
      try {
        marked = READS.call(dir, PATIENCE, () -> read(rootOf(dir)));
      } catch (IOException e) {
        late.add(dir);
      }
      if (marked.isPresent()) {
        return marked;
      }
    }
    for (int i = 0; i < late.size() && !marked.isPresent(); i++) {
      marked = read(rootOf(late.get(i)));
    }
    return marked;
  }

  /**
   * The local dir root that a task's dir belongs to: the nearest parent, or the dir itself, that
   * has a trusted marker, but none within the {@code usercache} of another such parent, where jobs
   * could plant one. Without a marker, what is left of the path without {@code usercache} and what
   * follows it; without that, the dir itself. {@link #read} of the result tells whether it has a
   * marker.
   *
   * @param taskDir absolute, such as {@code R/usercache/ann/appcache/application_1_0001}
   */
  public static Path rootOf(Path taskDir) {
    Path dir = taskDir.normalize();
    Path found = null;
    for (Path parent = dir; parent != null; parent = parent.getParent()) {
      boolean plantable = found != null && parent.relativize(found).startsWith(USER_CACHE);
      if ((found == null || plantable) && hasTrustedMarker(parent)) {
        found = parent;
      }
    }
    return found != null ? found : withoutUserCache(dir);
  }

  public static Path claims(Path root) {
    return root.resolve(DIR).resolve(CLAIMS);
  }

  /** Makes sure of a folder of TempTier's in a local dir of that owner; true if it was missing. */
  public static boolean ensureFolder(Path path, int mode, int rootOwner) throws IOException {
    Optional<FileStamp> found = FileStamp.find(path);
    if (!found.isPresent()) {
      try {
        Files.createDirectory(path);
      } catch (FileAlreadyExistsException e) {
        // By another process of the dir's owner.
      }
    }
    FileStamp stamp = found.isPresent() ? found.get() : FileStamp.of(path);
    if (!stamp.directory()) {
      throw new IOException(path + " is not a folder. Remove it; it is put right within seconds");
    }
    if (stamp.uid() != rootOwner && stamp.uid() != 0) {
      throw new IOException(
          path
              + " belongs to uid "
              + stamp.uid()
              + ", its root to uid "
              + rootOwner
              + ": somebody planted it. Remove it, and let only the dir's owner make it; it is put"
              + " right within seconds");
    }
    if (stamp.permissions() != mode) {
      Files.setAttribute(path, "unix:mode", mode, LinkOption.NOFOLLOW_LINKS);
    }
    return !found.isPresent();
  }

  /** The outermost, since what lies below a user's cache is named by that user. */
  private static Path withoutUserCache(Path dir) {
    Path root = dir;
    for (Path parent = dir.getParent(); parent != null; parent = parent.getParent()) {
      Path above = parent.getParent();
      if (above != null && parent.endsWith(USER_CACHE)) {
        root = above;
      }
    }
    return root;
  }

  private static boolean hasTrustedMarker(Path root) {
    try {
      return !distrust(root, LAYOUT).isPresent();
    } catch (IOException | RuntimeException e) {
      return false;
    }
  }

  /** Tells why a file under {@code root} does not count; throws when there is none. */
  private static Optional<String> distrust(Path root, String file) throws IOException {
    Path dir = root.resolve(DIR);
    FileStamp folder = FileStamp.of(dir);
    if (!folder.directory()) {
      return Optional.of(dir + " is not a folder");
    }
    FileStamp marker = FileStamp.of(dir.resolve(file));
    if (!marker.regular()) {
      return Optional.of("it is not a regular file");
    }
    if (marker.bytes() > MAX_BYTES) {
      return Optional.of("it is larger than " + Sizes.format(MAX_BYTES));
    }
    int owner = keeper(root);
    for (int uid : new int[] {folder.uid(), marker.uid()}) {
      if (uid != 0 && uid != owner) {
        return Optional.of("it belongs to uid " + uid + ", the root to uid " + owner);
      }
    }
    return Optional.empty();
  }

  /**
   * The user whose word counts in a local dir, beside root: its owner. In a container it is the
   * owner of our folder there, where that is a mount: Docker and runC make the folders above what
   * they mount, which are root's, and only root mounts something below them.
   *
   * @throws IOException when the dir or our folder in it cannot be looked at
   */
  public static int keeper(Path root) throws IOException {
    Map<String, Object> dir = Files.readAttributes(root, "unix:uid,mode,dev");
    int owner = (Integer) Objects.requireNonNull(dir.get("uid"));
    int mode = (Integer) Objects.requireNonNull(dir.get("mode"));
    if (owner != 0 || (mode & OTHERS_WRITE) != 0) {
      return owner;
    }
    Path folder = root.resolve(DIR);
    Object device = Files.getAttribute(folder, "unix:dev", LinkOption.NOFOLLOW_LINKS);
    return device.equals(dir.get("dev")) ? owner : FileStamp.of(folder).uid();
  }

  private static void logOnce(Path marker, String why) {
    if (LOGGED.size() < MAX_LOGGED && LOGGED.add(marker.toString())) {
      LOG.warn(
          "Ignoring TempTier's marker {}: {}. It is as if there were none: stock Hadoop places the"
              + " files of tasks. A restart of the NodeManager writes it again.",
          marker,
          why);
    }
  }
}
