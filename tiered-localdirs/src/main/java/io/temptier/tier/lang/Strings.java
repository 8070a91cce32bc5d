// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.lang;

import java.io.BufferedReader;
import java.io.StringReader;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.stream.Stream;

/** Methods that {@code String} and {@code Matcher} themselves have from Java 11 on. */
public final class Strings {
  private Strings() {}

  public static Stream<String> lines(String text) {
    return new BufferedReader(new StringReader(text)).lines();
  }

  /** The text with each match replaced by the function's result, taken literally. */
  public static String replaceAll(Matcher matcher, Function<MatchResult, String> replacement) {
    StringBuffer text = new StringBuffer();
    while (matcher.find()) {
      matcher.appendReplacement(text, Matcher.quoteReplacement(replacement.apply(matcher)));
    }
    return matcher.appendTail(text).toString();
  }
}
