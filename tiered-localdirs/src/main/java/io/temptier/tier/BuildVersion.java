// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;

/** The version of TempTier that this jar was built as. */
public final class BuildVersion {
  private BuildVersion() {}

  /** Returns the version, such as {@code 0.1.0}; {@code unknown} where the jar is damaged. */
  public static String get() {
    return of("version.properties", "unknown");
  }

  /** The version that properties on the class path name; {@code unknown} where they do not. */
  public static String of(String resource, String unknown) {
    Properties properties = new Properties();
    try (InputStream in = BuildVersion.class.getResourceAsStream(resource)) {
      if (in != null) {
        properties.load(in);
      }
    } catch (IOException e) {
      // The version is for people only: a damaged jar will show in better places than here.
      return unknown;
    }
    return properties.getProperty("version", unknown);
  }
}
