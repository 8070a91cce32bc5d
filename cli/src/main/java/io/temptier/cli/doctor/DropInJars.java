// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.doctor;

import java.util.regex.Pattern;

/** Knows TempTier's jars by their names. */
final class DropInJars {
  /** The jars by any of their names, or a folder or variable named after the project. */
  private static final Pattern NAME =
      Pattern.compile("temptier|shuffle-tier|tiered-localdirs", Pattern.CASE_INSENSITIVE);

  private DropInJars() {}

  /** Whether part of a class path names them. */
  static boolean namedIn(String text) {
    return NAME.matcher(text).find();
  }
}
