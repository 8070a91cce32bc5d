// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.os;

import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Paths;

/** Ids of processes, which Java itself tells from 9 on. */
public final class Pid {
  private static final long SELF = ofSelf();

  private Pid() {}

  /** The pid of this process as procfs has it; 0 where there is none. */
  public static long self() {
    return SELF;
  }

  private static long ofSelf() {
    try {
      return Long.parseLong(Files.readSymbolicLink(Paths.get("/proc/self")).toString());
    } catch (IOException | RuntimeException e) {
      return 0;
    }
  }

  /** Throws {@link IllegalStateException} on a Java that does not tell. */
  public static long of(Process child) {
    try {
      return (Long) Process.class.getMethod("pid").invoke(child);
    } catch (ReflectiveOperationException e) {
      return ofField(child);
    }
  }

  /** Java 8's way: the class behind it is the JDK's own. */
  static long ofField(Process child) {
    try {
      Field pid = child.getClass().getDeclaredField("pid");
      pid.setAccessible(true);
      return pid.getInt(child);
    } catch (ReflectiveOperationException | RuntimeException e) {
      throw new IllegalStateException("This Java does not tell the id of a process", e);
    }
  }
}
