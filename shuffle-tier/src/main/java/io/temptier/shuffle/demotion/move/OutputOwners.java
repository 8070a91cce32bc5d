// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion.move;

import io.temptier.tier.LocalDir;
import io.temptier.tier.os.FileStamp;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Whose files the outputs of a user are: this process's, or, where it can have them moved as the
 * user, those of the account that the user's containers run as. Asked of the folder that the
 * NodeManager makes for each user: that one no user can exchange.
 */
public final class OutputOwners {
  private static final int ROOT = 0;

  private final int ownUid;
  private final BooleanSupplier asUser;

  /**
   * Owners.
   *
   * @param ownUid of this process
   * @param asUser whether files of others can be moved
   */
  public OutputOwners(int ownUid, BooleanSupplier asUser) {
    this.ownUid = ownUid;
    this.asUser = asUser;
  }

  public int ownUid() {
    return ownUid;
  }

  /** Whether files of others can be moved, too. */
  public boolean othersToo() {
    return asUser.getAsBoolean();
  }

  /** Of whom a user's files in a dir have to be if they are to be moved. */
  public int uid(LocalDir dir, String user) throws IOException {
    Optional<FileStamp> home = FileStamp.find(home(dir, user));
    if (!home.isPresent() || !home.get().directory()) {
      return ownUid;
    }
    int uid = home.get().uid();
    return uid != ROOT && othersToo() ? uid : ownUid;
  }

  /** A user's folder in a dir. */
  public static Path home(LocalDir dir, String user) {
    return dir.path().resolve("usercache").resolve(user);
  }
}
