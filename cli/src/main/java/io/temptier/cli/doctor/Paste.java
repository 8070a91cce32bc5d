/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
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
