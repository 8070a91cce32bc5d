// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.claim;

import com.google.auto.value.AutoValue;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Whom a claim is for, as its name says: {@code container_e17_1700000000000_0001_01_000002}, {@code
 * application_1700000000000_0001} where there is no container, or {@code none}.
 */
@AutoValue
abstract class Holder {

  private static final String NONE = "none";
  private static final Pattern ID = Pattern.compile("[A-Za-z0-9_]{1,100}");
  private static final Pattern CONTAINER =
      Pattern.compile("container_(?:e\\d+_)?(\\d+_\\d+)_\\d+_\\d+");

  /** YARN tells it every process of a container. */
  private static final Holder OWN = Holder.create(String.valueOf(System.getenv("CONTAINER_ID")));

  private static final String OWN_APPLICATION = OWN.isContainer() ? OWN.application() : "";

  /** What stands in the name. */
  abstract String id();

  static Holder create(String id) {
    return new AutoValue_Holder(id);
  }

  static Holder none() {
    return Holder.create(NONE);
  }

  /** The container of this process, or none. */
  static Holder own() {
    return OWN.isContainer() ? OWN : none();
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
    return id.equals(OWN_APPLICATION) ? OWN : Holder.create(id);
  }

  boolean isNone() {
    return id().equals(NONE);
  }

  boolean isContainer() {
    return CONTAINER.matcher(id()).matches();
  }

  /** Its application, or what stands in place of one. */
  String application() {
    Matcher container = CONTAINER.matcher(id());
    return container.matches() ? "application_" + container.group(1) : id();
  }
}
