// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.marker;

import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * Properties that may be truncated, or written by somebody else. All but {@link #find} throw an
 * {@link IllegalArgumentException} with a reason for people, when a value is missing or cannot be
 * right.
 */
final class CheckedProperties {
  private final Properties properties;

  CheckedProperties(Properties properties) {
    this.properties = properties;
  }

  @Nullable String find(String key) {
    return properties.getProperty(key);
  }

  String text(String key) {
    String value = find(key);
    if (value == null) {
      throw new IllegalArgumentException("it has no " + key);
    }
    return value;
  }

  /** A number from 0 up. */
  long number(String key) {
    return number(key, Long.MAX_VALUE);
  }

  /** A number from 0 to the most that it can be. */
  long number(String key, long most) {
    long value = Long.parseLong(text(key));
    if (value < 0 || value > most) {
      throw new IllegalArgumentException(key + "=" + value + " is not within 0.." + most);
    }
    return value;
  }

  boolean flag(String key) {
    String value = text(key);
    if (!value.equals("true") && !value.equals("false")) {
      throw new IllegalArgumentException(key + "=" + value + " is neither true nor false");
    }
    return value.equals("true");
  }

  /** A share, 0 to 1. */
  double fraction(String key) {
    double value = Double.parseDouble(text(key));
    if (!(value >= 0 && value <= 1)) {
      throw new IllegalArgumentException(key + "=" + value + " is not within 0..1");
    }
    return value;
  }
}
