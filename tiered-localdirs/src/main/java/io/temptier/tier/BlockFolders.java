// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier;

/**
 * How the folders of Spark's blocks are called. Spark makes one in each local dir, {@code
 * blockmgr-UUID}, tells others of it, and spreads files over them by a hash of their name. TempTier
 * makes folders beside them, in other local dirs, for what belongs to one of them.
 */
public final class BlockFolders {
  /** What Spark begins the name of a folder of blocks with. */
  public static final String HOME = "blockmgr-";

  private static final String PREFIX = "temptier-";

  private BlockFolders() {}

  /** The folder in another local dir for files of the home of that name. */
  public static String annex(String home) {
    return PREFIX + home;
  }

  /** Whether a folder is called like one of ours. */
  public static boolean isAnnex(String name) {
    return name.startsWith(PREFIX + HOME);
  }

  /** The name of the home that an annex belongs to. */
  public static String homeOf(String annex) {
    return annex.substring(PREFIX.length());
  }
}
