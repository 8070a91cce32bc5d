// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.profile;

import com.google.auto.value.AutoValue;
import io.temptier.s3a.endpoint.EndpointKey;

/** A property with its reasons. */
@AutoValue
public abstract class S3aSetting {
  public abstract String key();

  public abstract String value();

  public abstract String why();

  public abstract String cost();

  public abstract String sources();

  /** True if a Hadoop on AWS SDK 1 reads the property as something else, or cannot read it. */
  abstract boolean needsSdk2();

  static S3aSetting of(
      String key, String value, String why, String cost, String sources, boolean needsSdk2) {
    return new AutoValue_S3aSetting(key, value, why, cost, sources, needsSdk2);
  }

  /** True if that Hadoop reads the property with this value, or TempTier does under it. */
  boolean isReadBy(HadoopVersion version) {
    return key().startsWith(EndpointKey.PREFIX)
        ? version.isOfSdk2()
        : version.knows(key()) && (version.isOfSdk2() || !needsSdk2());
  }
}
