// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier;

import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names of the folders of Spark's blocks. Spark makes one in each local dir, {@code blockmgr-UUID},
 * tells others of it, and spreads files over them by a hash of their name. TempTier makes folders
 * beside them, in other local dirs, for what belongs to one of them.
 */
public final class BlockFolders {
  public static final String HOME = "blockmgr-";

  private static final String PREFIX = "temptier-";

  private static final Pattern UNIQUE =
      Pattern.compile("(.+)\\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}");

  private BlockFolders() {}

  /** A unique name for the bytes of a file, formed as Spark's names of files being written. */
  public static String unique(String name) {
    return name + "." + UUID.randomUUID();
  }

  /** The name of the file that bytes of such a name are of. */
  public static String withoutUnique(String name) {
    Matcher unique = UNIQUE.matcher(name);
    return unique.matches() ? unique.group(1) : name;
  }

  /** The folder in another local dir for files of the home of that name. */
  public static String annex(String home) {
    return PREFIX + home;
  }

  /** True if a file of that name may be a complete block, such as a map output. */
  public static boolean mayBeBlock(String name) {
    FileKind kind = FileKind.of(name);
    return kind == FileKind.MAP_OUTPUT ? name.endsWith(".data") : kind == FileKind.CACHED_BLOCK;
  }

  public static boolean isAnnex(String name) {
    return name.startsWith(PREFIX + HOME);
  }

  public static String homeOf(String annex) {
    return annex.substring(PREFIX.length());
  }
}
