// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.users;

import io.temptier.lab.process.Shell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Accounts and groups of this machine for the time of a test, removed on close. They have names
 * that tell where they come from, no password, no shell and no home. Needs root. For one thread.
 */
public final class Accounts implements AutoCloseable {
  private static final String PREFIX = "tt";
  private static final Path NO_LOGIN = Path.of("/usr/sbin/nologin");
  private static final int NAMES = 46_656;

  /** Above what is given to people and to containers, on most machines. */
  private static final String LEAST_UID = "UID_MIN=40000";

  private final String suffix;
  private final List<List<String>> removals = new ArrayList<>();

  /** None yet. */
  public Accounts() {
    suffix = Integer.toString(ThreadLocalRandom.current().nextInt(NAMES), 36);
  }

  /**
   * Makes a group.
   *
   * @return its name
   * @throws IOException when it cannot be made
   */
  public String group(String name) throws IOException {
    String full = PREFIX + name + suffix;
    Shell.run("groupadd", "--system", full);
    removals.add(List.of("groupdel", full));
    return full;
  }

  /**
   * Makes an account.
   *
   * @param group its only one; empty for one of its own name
   * @return its name
   * @throws IOException when it cannot be made
   */
  public String user(String name, String group) throws IOException {
    String full = PREFIX + name + suffix;
    List<String> command =
        new ArrayList<>(List.of("useradd", "--no-create-home", "--home-dir", "/nonexistent"));
    command.addAll(List.of("--no-log-init", "-K", LEAST_UID, "-K", "UID_MAX=49999"));
    command.addAll(List.of("--shell", NO_LOGIN.toString()));
    command.addAll(group.isEmpty() ? List.of("--user-group") : List.of("--gid", group));
    command.add(full);
    Shell.run(command);
    removals.add(List.of("userdel", full));
    return full;
  }

  /**
   * Gives a folder that is made if it is missing, and all that is in it, to an account.
   *
   * @throws IOException when that cannot be done
   */
  public static Path give(Path folder, String user) throws IOException {
    Files.createDirectories(folder);
    Shell.run("chown", "-R", user + ":", folder.toString());
    return folder;
  }

  /** The number of an account. */
  public static int uid(String user) throws IOException {
    return Integer.parseInt(Shell.run("id", "-u", user));
  }

  /** A command line that an account runs, with its own groups alone. */
  public static List<String> as(String user, List<String> command) throws IOException {
    List<String> line = new ArrayList<>(List.of("setpriv", "--reuid", user));
    line.addAll(List.of("--regid", Shell.run("id", "-g", user), "--clear-groups", "--"));
    line.addAll(command);
    return line;
  }

  /** Removes them; what runs as them does so on, under a number without a name. */
  @Override
  public void close() throws IOException {
    Collections.reverse(removals);
    IOException first = null;
    for (List<String> removal : removals) {
      try {
        Shell.run(removal);
      } catch (IOException e) {
        first = first == null ? e : first;
      }
    }
    removals.clear();
    if (first != null) {
      throw first;
    }
  }
}
