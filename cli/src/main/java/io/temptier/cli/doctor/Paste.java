// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.doctor;

/** Properties as an operator can paste them. */
public final class Paste {
  private Paste() {}

  /** A remedy that begins with words and ends in the property, on a line of its own. */
  public static String into(String file, String key, String value) {
    return "Put into " + file + ":\n" + property(key, value);
  }

  /** A property in Hadoop's XML, on one line. */
  public static String property(String key, String value) {
    return "<property><name>" + key + "</name><value>" + escape(value) + "</value></property>";
  }

  private static String escape(String value) {
    return value.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
