// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.conf;

import io.temptier.tier.NearestName;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Finds properties that look like ours and are not. An ERROR, since what the operator wanted is not
 * what would happen: {@code temptier.enable=false} must not leave TempTier on.
 */
final class UnknownKeys {
  private static final String NAME = "temptier";

  /** Those of S3A, which stand in core-site.xml and are looked at where S3A is. */
  private static final String OF_S3A = "temptier.s3a.";

  /** Letters by which the first word of a key may differ from ours and still be meant as ours. */
  private static final int SLIPS = 2;

  private UnknownKeys() {}

  static void check(ConfReader reader) {
    Set<String> unknown = new TreeSet<>();
    for (Map.Entry<String, String> property : reader.conf()) {
      String key = property.getKey();
      if (looksLikeOurs(key) && !key.startsWith(OF_S3A) && !TierKey.find(key).isPresent()) {
        unknown.add(key);
      }
    }
    for (String key : unknown) {
      int dot = key.indexOf('.');
      String respelt = dot < 0 ? key : NAME + key.substring(dot);
      int last = respelt.lastIndexOf('.') + 1;
      String ofMedium =
          NearestName.ofMedium(respelt.substring(last))
              .map(medium -> respelt.substring(0, last) + medium.name().toLowerCase(Locale.ROOT))
              .orElse("");
      String remedy =
          NearestName.of(TierKey.names().contains(ofMedium) ? ofMedium : respelt, TierKey.names())
              .map(near -> "Did you mean " + near + "?")
              .orElse("Take it out; docs/configs.md lists the keys.");
      reader.error(key, reader.raw(key), "There is no such property.", remedy);
    }
  }

  private static boolean looksLikeOurs(String key) {
    int dot = key.indexOf('.');
    String first = dot < 0 ? key : key.substring(0, dot);
    return first.length() >= NAME.length() - SLIPS
        && first.length() <= NAME.length() + SLIPS
        && NearestName.distance(first.toLowerCase(Locale.ROOT), NAME) <= SLIPS;
  }
}
