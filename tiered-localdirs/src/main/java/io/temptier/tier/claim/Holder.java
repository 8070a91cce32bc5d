// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.claim;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Whom a claim is for, as its name says: {@code container_e17_1700000000000_0001_01_000002}, {@code
 * application_1700000000000_0001} where there is no container, or {@code none}.
 *
 * @param id what stands in the name
 */
record Holder(String id) {
  private static final String NONE = "none";
  private static final Pattern ID = Pattern.compile("[A-Za-z0-9_]{1,100}");
  private static final Pattern CONTAINER =
      Pattern.compile("container_(?:e\\d+_)?(\\d+_\\d+)_\\d+_\\d+");

  /** YARN tells it every process of a container. */
  private static final Holder OWN = new Holder(String.valueOf(System.getenv("CONTAINER_ID")));

  private static final String OWN_APPLICATION = OWN.isContainer() ? OWN.application() : "";

  static Holder none() {
    return new Holder(NONE);
  }

  /**
   * That of a claim of this process.
   *
   * @param id an application or container; null, or anything else, for none
   */
  static Holder of(@Nullable String id) {
    if (id == null || !ID.matcher(id).matches()) {
      return none();
    }
    return id.equals(OWN_APPLICATION) ? OWN : new Holder(id);
  }

  boolean isNone() {
    return id.equals(NONE);
  }

  boolean isContainer() {
    return CONTAINER.matcher(id).matches();
  }

  /** Its application, or what stands in place of one. */
  String application() {
    Matcher container = CONTAINER.matcher(id);
    return container.matches() ? "application_" + container.group(1) : id;
  }

  /** By hand, as {@link io.temptier.tier.os.ProcessTable.Owner} says. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Holder that && id.equals(that.id);
  }

  @Override
  public int hashCode() {
    return id.hashCode();
  }
}
