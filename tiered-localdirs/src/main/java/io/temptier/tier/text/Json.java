// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.text;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Writes a little JSON for JMX: objects, arrays, texts, numbers and flags. Hadoop's versions differ
 * in the JSON libraries they carry, and the NodeManager gets no second copy of any.
 */
public final class Json {
  private Json() {}

  /** The JSON of a value: null, text, number, flag, map or collection of such, else its text. */
  public static String of(@Nullable Object value) {
    if (value instanceof Double && !Double.isFinite((Double) value)) {
      return "null";
    }
    if (value == null || value instanceof Boolean || value instanceof Number) {
      return String.valueOf(value);
    }
    if (value instanceof Map<?, ?>) {
      return ((Map<?, ?>) value)
          .entrySet().stream()
              .map(member -> text(String.valueOf(member.getKey())) + ':' + of(member.getValue()))
              .collect(Collectors.joining(",", "{", "}"));
    }
    if (value instanceof Collection<?>) {
      return ((Collection<?>) value)
          .stream().map(Json::of).collect(Collectors.joining(",", "[", "]"));
    }
    return text(value.toString());
  }

  /** The members of an object, each a name and its value, in their order. May be added to. */
  public static Map<String, Object> object(@Nullable Object... namesAndValues) {
    Map<String, Object> object = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      object.put(String.valueOf(namesAndValues[i]), namesAndValues[i + 1]);
    }
    return object;
  }

  private static String text(String text) {
    StringBuilder out = new StringBuilder(text.length() + 2).append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      } else if (c < 0x20 || c == 0x7f || Character.isSurrogate(c)) {
        out.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
      } else {
        out.append(c);
      }
    }
    return out.append('"').toString();
  }
}
