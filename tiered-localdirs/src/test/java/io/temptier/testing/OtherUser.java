// SPDX-License-Identifier: Apache-2.0
package io.temptier.testing;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Java programs of this build, run as another user with a umask of 077. For root alone. */
public final class OtherUser {
  private OtherUser() {}

  /**
   * The command that runs a program as a user.
   *
   * @param folder which everybody may look into afterwards; gets a copy of the class path, whose
   *     own places that user may be closed to
   * @param program the options of the JVM, the class and its arguments
   */
  public static List<String> command(Path folder, int uid, List<String> program)
      throws IOException {
    String id = Integer.toString(uid);
    List<String> command =
        new ArrayList<>(
            List.of("setpriv", "--reuid=" + id, "--regid=" + id, "--clear-groups", "sh", "-c"));
    command.addAll(List.of("umask 077; cd /; exec \"$@\"", "sh"));
    command.addAll(List.of(ProcessHandle.current().info().command().orElseThrow(), "-cp"));
    command.add(classPath(folder));
    command.addAll(program);
    return command;
  }

  private static String classPath(Path folder) throws IOException {
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    Path copies = folder.resolve("class-path");
    boolean made = Files.exists(copies);
    List<String> entries = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      Path source = Path.of(entry);
      Path target = copies.resolve(entries.size() + "-" + source.getFileName());
      if (!made && Files.exists(source)) {
        copy(source, target);
      }
      entries.add(target.toString());
    }
    return String.join(File.pathSeparator, entries);
  }

  private static void copy(Path source, Path target) throws IOException {
    try (Stream<Path> below = Files.walk(source)) {
      for (Path path : below.toList()) {
        Path copy = target.resolve(source.relativize(path).toString());
        if (Files.isDirectory(path)) {
          Files.createDirectories(copy);
        } else {
          Files.createDirectories(copy.getParent());
          Files.copy(path, copy);
        }
      }
    }
  }
}
