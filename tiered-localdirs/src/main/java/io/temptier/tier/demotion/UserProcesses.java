// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.demotion;

import com.google.auto.value.AutoValue;
import io.temptier.tier.LocalDir;
import io.temptier.tier.os.ProcessTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;

/** Runs programs as users of applications. Safe for use by many threads. */
public interface UserProcesses {
  /** Owner of an application's files. */
  @AutoValue
  abstract class ApplicationUser {
    /** Id, such as {@code application_1700000000000_0001}. */
    public abstract String application();

    /** User who submitted it, after whom its folders are called. */
    public abstract String user();

    /** The account that its containers run as, which owns the folders. */
    public abstract String runAs();

    public abstract int uid();

    /** Asks the folder that the NodeManager makes for each user: that one no user can exchange. */
    public static ApplicationUser find(LocalDir dir, String user, String application)
        throws IOException {
      Path home = dir.path().resolve(LocalDir.home(user));
      String account = Files.getOwner(home, LinkOption.NOFOLLOW_LINKS).getName();
      return of(application, user, account, ProcessTable.uidOf(home));
    }

    public static ApplicationUser of(String application, String user, String runAs, int uid) {
      return new AutoValue_UserProcesses_ApplicationUser(application, user, runAs, uid);
    }
  }

  enum Signal {
    KILL(9),
    CONTINUE(18),
    STOP(19);

    private final int number;

    Signal(int number) {
      this.number = number;
    }

    public String number() {
      return Integer.toString(number);
    }
  }

  /**
   * The command line that runs a program as a user. The process that it starts becomes the program,
   * leads a process group, and its working directory is {@link Scratch#folder}, with a copy of
   * {@code credentials} in it.
   *
   * @param credentials a file of the NodeManager's, of a name that was never used before
   */
  List<String> command(
      ApplicationUser owner, Scratch scratch, Path credentials, List<String> program);

  /**
   * Signals a process that {@link #command} started, with its group, as its user.
   *
   * @throws IOException when that could not be tried, or the process has ended
   */
  void signal(ApplicationUser owner, long pid, Signal signal) throws IOException;

  /** Deletes a folder with all that is in it, as its user. */
  void delete(ApplicationUser owner, Path folder) throws IOException;

  /** True if the NodeManager deletes an application's files at its end, and not later. */
  default boolean deletesAtEnd() {
    return true;
  }
}
