// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.profile;

import com.google.auto.value.AutoValue;

/** Something to know that is no setting: most often a property left out on purpose. */
@AutoValue
public abstract class Remark {
  /** The property, or what it is about. */
  public abstract String key();

  /** Why it is left out, or what to do. */
  public abstract String text();

  public static Remark of(String key, String text) {
    return new AutoValue_Remark(key, text);
  }
}
