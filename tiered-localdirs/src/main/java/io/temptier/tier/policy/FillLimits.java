// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.policy;

import com.google.auto.value.AutoValue;
import io.temptier.tier.FileKind;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.text.Quoted;
import io.temptier.tier.text.Sizes;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The users and the kinds of files that a tier takes only while it is less full than a limit:
 * {@code user:batch=50%,kind:CACHED_BLOCK=60%}. What lies between is kept for all others, as the
 * classes of Open CAS do it by their largest occupancy. No file is counted for it: how full the
 * tier is, by all its users, is known anyway.
 */
@AutoValue
public abstract class FillLimits {

  public static final FillLimits NONE = FillLimits.create(Immutable.mapOf(), Immutable.mapOf());

  static final String ANY_OTHER = "*";

  /** Folder of a user, as YARN names it in each local dir. */
  private static final Pattern USER_FOLDER = Pattern.compile("(?:^|/)usercache/([^/,]+)/");

  private static final String KIND = "kind:";
  private static final String USER = "user:";

  /** The share of a dir's size up to which it takes such files, 0 to 1. */
  public abstract Map<FileKind, Double> byKind();

  /** Limits of users' files; {@link #ANY_OTHER} of those who are not named. */
  public abstract Map<String, Double> byUser();

  public static FillLimits create(Map<FileKind, Double> byKind, Map<String, Double> byUser) {
    Map<String, Double> limited = new LinkedHashMap<>(byUser);
    if (byUser.getOrDefault(ANY_OTHER, 0.0) >= 1) {
      // Nobody is limited to the whole of it.
      limited.remove(ANY_OTHER);
    }
    return new AutoValue_FillLimits(Immutable.copyOf(byKind), Immutable.copyOf(limited));
  }

  /** Parses a list; throws {@link IllegalArgumentException} when it is none. */
  public static FillLimits parse(String text) {
    Map<FileKind, Double> kinds = new TreeMap<>();
    Map<String, Double> users = new TreeMap<>();
    for (String part : text.trim().isEmpty() ? new String[0] : text.split(",", -1)) {
      String entry = part.trim();
      int equals = entry.lastIndexOf('=');
      String name = equals < 0 ? "" : entry.substring(0, equals).trim();
      boolean twice;
      if (name.startsWith(KIND)) {
        twice = kinds.put(kind(name.substring(KIND.length())), share(entry, equals)) != null;
      } else if (name.startsWith(USER) && name.length() > USER.length()) {
        twice = users.put(name.substring(USER.length()), share(entry, equals)) != null;
      } else {
        throw new IllegalArgumentException(
            Quoted.of(entry) + " is not like user:NAME=50% or kind:CACHED_BLOCK=50%");
      }
      if (twice) {
        throw new IllegalArgumentException(name + " has two limits");
      }
    }
    return FillLimits.create(kinds, users);
  }

  private static FileKind kind(String name) {
    try {
      return FileKind.valueOf(name.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          Quoted.of(name) + " is none of " + Arrays.toString(FileKind.values()), e);
    }
  }

  private static double share(String entry, int equals) {
    return Sizes.parsePercent(entry.substring(equals + 1).trim());
  }

  /**
   * The limit of a file.
   *
   * @param user whose it is; null where that is not known
   * @return 0 to 1, the lower one where two hold; 1 is none
   */
  public double of(FileKind kind, @Nullable String user) {
    double ofUser =
        user == null ? 1 : byUser().getOrDefault(user, byUser().getOrDefault(ANY_OTHER, 1.0));
    return Math.min(byKind().getOrDefault(kind, 1.0), ofUser);
  }

  /** The user of the first path that lies in a user's folder; null when none does. */
  public static @Nullable String userIn(String... paths) {
    for (String path : paths) {
      // To search costs less than to match, and most paths have no user.
      Matcher folder = path.contains("usercache/") ? USER_FOLDER.matcher(path) : null;
      if (folder != null && folder.find()) {
        return folder.group(1);
      }
    }
    return null;
  }

  @Override
  public final String toString() {
    List<String> all = new ArrayList<>();
    new TreeMap<>(byUser()).forEach((user, share) -> all.add(USER + user + "=" + percent(share)));
    new TreeMap<>(byKind()).forEach((kind, share) -> all.add(KIND + kind + "=" + percent(share)));
    return String.join(",", all);
  }

  private static String percent(double share) {
    return BigDecimal.valueOf(share).movePointRight(2).stripTrailingZeros().toPlainString() + "%";
  }
}
