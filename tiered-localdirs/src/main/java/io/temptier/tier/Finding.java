// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier;

/**
 * Something a configuration check has to say. The NodeManager logs findings at start; the doctor
 * prints them.
 *
 * @param severity how bad it is
 * @param key the property at fault
 * @param value its value, or what was found in its place
 * @param origin where the value came from, such as a file name or {@code default}
 * @param consequence what happens because of it
 * @param remedy what to do about it
 */
public record Finding(
    Severity severity, String key, String value, String origin, String consequence, String remedy) {

  /** How bad a finding is. */
  public enum Severity {
    /** Good to know. */
    INFO,
    /** Works, but not as well as it could. */
    WARNING,
    /** Could not be told from here, so it is not known to work. The doctor's only. */
    UNKNOWN,
    /** TempTier stays off and stock Hadoop behaviour applies until this is mended. */
    ERROR
  }

  /** A list of dirs is shown in full; what is longer than any is cut. */
  private static final int MOST_CHARS = 2000;

  public Finding {
    key = Quoted.cut(key, Quoted.MOST_CHARS);
    value = Quoted.cut(value, MOST_CHARS);
    consequence = Quoted.cut(consequence, MOST_CHARS);
  }

  /** What follows from every ERROR. */
  private static final String STAYS_OFF =
      " TempTier stays off on this node, which behaves as stock Hadoop.";

  /**
   * A finding that keeps TempTier off.
   *
   * @param what what is wrong, in a sentence; that TempTier stays off is added
   */
  public static Finding error(String key, String value, String origin, String what, String remedy) {
    return new Finding(Severity.ERROR, key, value, origin, what + STAYS_OFF, remedy);
  }

  /** A finding that TempTier lives with, at a cost. */
  public static Finding warning(
      String key, String value, String origin, String consequence, String remedy) {
    return new Finding(Severity.WARNING, key, value, origin, consequence, remedy);
  }

  /** A finding that is good to know. */
  public static Finding info(
      String key, String value, String origin, String consequence, String remedy) {
    return new Finding(Severity.INFO, key, value, origin, consequence, remedy);
  }

  @Override
  public String toString() {
    return Quoted.oneLine(
        severity + " " + key + "=" + value + " (" + origin + "): " + consequence + " " + remedy);
  }
}
