// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.profile;

import io.temptier.s3a.endpoint.EndpointKey;
import java.util.List;

/**
 * A property with its reasons.
 *
 * @param key the property
 * @param value its value
 * @param why what it is good for
 * @param cost what is paid for it
 * @param sources on whose word
 */
public record Setting(String key, String value, String why, String cost, List<Source> sources) {
  /** Copies the list. */
  public Setting {
    sources = List.copyOf(sources);
    if (sources.isEmpty()) {
      throw new IllegalArgumentException(key + " has no source");
    }
  }

  Setting(String key, String value, String why, String cost, Source... sources) {
    this(key, value, why, cost, List.of(sources));
  }

  /**
   * The versions of Hadoop that read the property, or under which TempTier does; empty for one of
   * neither.
   */
  public List<HadoopVersion> versions() {
    return key.startsWith(EndpointKey.PREFIX)
        ? HadoopVersion.ALL
        : HadoopVersion.ALL.stream().filter(version -> version.knows(key)).toList();
  }
}
