// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.demotion.asuser;

import com.google.auto.value.AutoValue;
import java.nio.file.Path;
import java.nio.file.Paths;

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

  /** Returns the folder of an application below a local dir. */
  public static Path folder(String user, String application) {
    return Paths.get("usercache", user, "appcache", application);
  }

  public static ApplicationUser of(String application, String user, String runAs, int uid) {
    return new AutoValue_ApplicationUser(application, user, runAs, uid);
  }
}
