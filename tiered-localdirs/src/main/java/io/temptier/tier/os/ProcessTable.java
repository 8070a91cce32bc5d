// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.os;

import com.google.auto.value.AutoValue;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Objects;

/**
 * Tells from procfs whether a process still runs. A pid alone is not enough, since pids are reused:
 * the start time, in clock ticks since boot (field 22 of {@code /proc/PID/stat}, see proc(5)),
 * makes it unique.
 */
public final class ProcessTable {
  /** A process that is or was: its pid and when it started, in clock ticks since boot. */
  @AutoValue
  public abstract static class Owner {
    public abstract long pid();

    public abstract long startTicks();

    public static Owner of(long pid, long startTicks) {
      return new AutoValue_ProcessTable_Owner(pid, startTicks);
    }
  }

  private static final long OWN_PID = readOwnPid();
  private static final int STATE_FIELD_AFTER_NAME = 0;
  private static final int PARENT_FIELD_AFTER_NAME = 1;
  private static final int START_TIME_FIELD_AFTER_NAME = 19;

  private final Path procRoot;
  private final Owner self;
  private final int selfUid;
  private final String namespace;
  private final boolean seesOthers;

  public ProcessTable() {
    this(Paths.get("/proc"));
  }

  /** Reads {@code procRoot}, which is {@code /proc} but in tests. */
  public ProcessTable(Path procRoot) {
    this.procRoot = procRoot;
    this.self = owner(OWN_PID);
    this.selfUid = uidOf(self.pid());
    this.namespace = namespaceOf(self.pid());
    int first = uidOf(1);
    // Under hidepid a user sees none but its own.
    this.seesOthers = selfUid == 0 || (first >= 0 && first != selfUid);
  }

  /** The pid of this process as procfs has it; 0 where there is none. */
  public static long ownPid() {
    return OWN_PID;
  }

  private static long readOwnPid() {
    try {
      return Long.parseLong(Files.readSymbolicLink(Paths.get("/proc/self")).toString());
    } catch (IOException | RuntimeException e) {
      return 0;
    }
  }

  /**
   * The pid of a child, which Java itself tells from 9 on; throws {@link IllegalStateException} on
   * a Java that does not.
   */
  public static long pidOf(Process child) {
    try {
      return (Long) Process.class.getMethod("pid").invoke(child);
    } catch (ReflectiveOperationException e) {
      return pidField(child);
    }
  }

  /** Java 8's way: the class behind it is the JDK's own. */
  static long pidField(Process child) {
    try {
      Field pid = child.getClass().getDeclaredField("pid");
      pid.setAccessible(true);
      return pid.getInt(child);
    } catch (ReflectiveOperationException | RuntimeException e) {
      throw new IllegalStateException("This Java does not tell the id of a process", e);
    }
  }

  /** The pid namespace of this process, if this is its table; else empty. */
  private String namespaceOf(long pid) {
    try {
      Path self = procRoot.resolve("self");
      return Files.readSymbolicLink(self).toString().equals(Long.toString(pid))
          ? Files.readSymbolicLink(self.resolve("ns/pid")).toString().replaceAll("\\D", "")
          : "";
    } catch (IOException | RuntimeException e) {
      return "";
    }
  }

  /** The number of this process's pid namespace; empty when it is not known. */
  public String namespace() {
    return namespace;
  }

  /** True if every process of a user in a pid namespace is visible here; false when in doubt. */
  public boolean sees(String otherNamespace, int uid) {
    return !namespace.isEmpty()
        && namespace.equals(otherNamespace)
        && (seesOthers || uid == selfUid);
  }

  /** True if any process, be it a zombie, has {@code pid}: far cheaper than {@link #isRunning}. */
  public boolean isPresent(long pid) {
    return new File(procRoot.toFile(), Long.toString(pid)).exists();
  }

  public Owner self() {
    return self;
  }

  /** The user that runs this process, or -1 when that cannot be told. */
  public int selfUid() {
    return selfUid;
  }

  /** The process that has {@code pid} now; its start is 0 when it is not visible. */
  public Owner owner(long pid) {
    return Owner.of(pid, startTicks(pid));
  }

  /** True if {@code owner} is visible here and runs. */
  public boolean isRunning(Owner owner) {
    return owner.equals(self)
        || (owner.startTicks() > 0 && startTicks(owner.pid()) == owner.startTicks());
  }

  /** The user that runs {@code pid}, or -1 when it is not visible. */
  public int uidOf(long pid) {
    return uidOf(procRoot.resolve(Long.toString(pid)));
  }

  /** Returns the owner of {@code path}, no link followed; -1 when that cannot be told. */
  public static int uidOf(Path path) {
    try {
      return (Integer)
          Objects.requireNonNull(Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS));
    } catch (IOException | RuntimeException e) {
      return -1;
    }
  }

  /** The parent of this process now; 0 when it is not visible. */
  public long parent() {
    try {
      return Long.parseLong(stat(self.pid())[PARENT_FIELD_AFTER_NAME]);
    } catch (IOException | RuntimeException e) {
      return 0;
    }
  }

  /** Start time of {@code pid} in clock ticks since boot; 0 when it is not visible or ended. */
  private long startTicks(long pid) {
    try {
      String[] fields = stat(pid);
      String state = fields[STATE_FIELD_AFTER_NAME];
      // A zombie keeps its pid until its parent asks for its exit code, but writes no more.
      boolean ended = state.equals("Z") || state.equals("X");
      return ended ? 0 : Long.parseLong(fields[START_TIME_FIELD_AFTER_NAME]);
    } catch (IOException | RuntimeException e) {
      return 0;
    }
  }

  private String[] stat(long pid) throws IOException {
    File file = new File(procRoot.toFile(), pid + "/stat");
    // No channel: it fails in a thread that is interrupted, and its process lives.
    try (FileInputStream input = new FileInputStream(file)) {
      String stat = new String(Io.readAllBytes(input), StandardCharsets.ISO_8859_1);
      // The name, field 2, is in brackets and may itself hold spaces and brackets.
      return stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    }
  }
}
