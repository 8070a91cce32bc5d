// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.os;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;

/** Ids of processes: as {@code ProcessHandle} has them from Java 9 on, without it on Java 8. */
public final class Pid {
  private static final long SELF = ofSelf();

  private Pid() {}

  public static long self() {
    return SELF;
  }

  private static long ofSelf() {
    try {
      return ofHandle();
    } catch (ReflectiveOperationException e) {
      return ofKernel(Paths.get("/proc/self"));
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

  /** Returns the pid as Java tells it from 9 on. */
  static long ofHandle() throws ReflectiveOperationException {
    Class<?> handle = Class.forName("java.lang.ProcessHandle");
    Object current = handle.getMethod("current").invoke(null);
    return (Long) handle.getMethod("pid").invoke(current);
  }

  /** Returns the pid as the kernel tells it, or the name of this JVM where there is no procfs. */
  static long ofKernel(Path procSelf) {
    try {
      return Long.parseLong(Files.readSymbolicLink(procSelf).toString());
    } catch (IOException | RuntimeException e) {
      String name = ManagementFactory.getRuntimeMXBean().getName();
      return Long.parseLong(name.substring(0, name.indexOf('@')));
    }
  }
}
