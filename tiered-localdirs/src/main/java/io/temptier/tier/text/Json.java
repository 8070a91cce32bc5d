// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.text;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes a little JSON for JMX: objects, arrays, texts, numbers and flags. Hadoop's versions differ
 * in the JSON libraries they carry, and the NodeManager gets no second copy of any.
 */
public final class Json {
  private final StringBuilder out = new StringBuilder(256);

  private Json() {}

  /** The JSON of a value: null, text, number, flag, map or collection of such, else its text. */
  public static String of(Object value) {
    Json json = new Json();
    json.write(value);
    return json.out.toString();
  }

  /** The members of an object, each a name and its value, in their order. May be added to. */
  public static Map<String, Object> object(@Nullable Object... namesAndValues) {
    Map<String, Object> object = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      object.put(String.valueOf(namesAndValues[i]), namesAndValues[i + 1]);
    }
    return object;
  }

  private void write(@Nullable Object value) {
    if (value == null || value instanceof Boolean) {
      out.append(value);
    } else if (value instanceof Double) {
      Double d = (Double) value;
      out.append(Double.isFinite(d) ? d : "null");
    } else if (value instanceof Number) {
      out.append(value);
    } else if (value instanceof Map<?, ?>) {
      out.append('{');
      boolean more = false;
      for (Map.Entry<?, ?> member : ((Map<?, ?>) value).entrySet()) {
        out.append(more ? "," : "");
        more = true;
        text(String.valueOf(member.getKey()));
        out.append(':');
        write(member.getValue());
      }
      out.append('}');
    } else if (value instanceof Collection<?>) {
      out.append('[');
      boolean more = false;
      for (Object member : (Collection<?>) value) {
        out.append(more ? "," : "");
        more = true;
        write(member);
      }
      out.append(']');
    } else {
      text(value.toString());
    }
  }

  private void text(String text) {
    out.append('"');
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
    out.append('"');
  }
}
