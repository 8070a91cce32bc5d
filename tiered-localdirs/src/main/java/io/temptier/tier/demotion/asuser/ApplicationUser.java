// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.demotion.asuser;

import com.google.auto.value.AutoValue;
import io.temptier.tier.LocalDir;
import io.temptier.tier.os.ProcessTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/** Owner of an application's files. */
@AutoValue
public abstract class ApplicationUser {
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
    return new AutoValue_ApplicationUser(application, user, runAs, uid);
  }
}
