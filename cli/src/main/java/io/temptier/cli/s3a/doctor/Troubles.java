// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.s3a.doctor;

import io.temptier.s3a.endpoint.EndpointKey;
import io.temptier.tier.Finding;
import io.temptier.tier.Finding.Severity;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.lang.Strings;
import io.temptier.tier.os.Io;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What is known to go wrong, with cause, property and remedy: the table {@code troubles.txt} beside
 * this class, whose head says what its columns mean. A trouble is one line there.
 */
final class Troubles {
  /** Of rows that the settings decide, before anything is asked. */
  private static final String SETTINGS = "settings";

  private static final int COLUMNS = 11;
  private static final String PUT = "PUT ";
  private static final Pattern FILLED = Pattern.compile("\\{([A-Za-z][\\w.]*)}");
  private static final Pattern QUOTED = Pattern.compile("\"([^\"]+)\"|'([^']+)'");
  private static final Pattern KEY = Pattern.compile("(?:fs\\.s3a|hadoop|mapreduce)\\.[a-z0-9.]+");
  private static final Pattern CONDITION = Pattern.compile("([\\w.-]+)([=!:<>])(.*)");
  private static final List<Trouble> ALL = read();

  private Troubles() {}

  /** A row. */
  static final class Trouble {
    private final String[] cells;
    private final List<Pattern> asked = new ArrayList<>();
    private final Pattern text;
    private final Predicate<BucketSettings> settings;

    Trouble(String line) {
      cells = Arrays.stream(line.split(" +\\| ?", -1)).map(String::trim).toArray(String[]::new);
      if (cells.length != COLUMNS) {
        throw new IllegalStateException(cells.length + " columns, not " + COLUMNS + ": " + line);
      }
      for (int i = 1; i <= 3; i++) {
        asked.add(Pattern.compile(cells[i].isEmpty() && i > 1 ? ".*" : cells[i]));
      }
      text = Pattern.compile(cells[4]);
      settings =
          Arrays.stream(cells[5].split(" & "))
              .filter(each -> !each.isEmpty())
              .map(Troubles::condition)
              .reduce(of -> true, Predicate::and);
    }

    String name() {
      return cells[0];
    }

    /** Whether the store can be asked nothing more. */
    boolean ends() {
      return cells[6].endsWith("!");
    }

    String property() {
      return cells[7];
    }

    /** With {@code {KEY}} for the value of a property and {@code {0}} for what a check says. */
    String cause() {
      return cells[8];
    }

    String remedy() {
      return cells[9];
    }

    /** On which release, or who says so. */
    String seen() {
      return cells[10];
    }

    boolean isMet(String question, Failure failure, BucketSettings of) {
      return !question.equals(SETTINGS)
          && (failure.status().isEmpty() || !isNoAnswer())
          && asked.get(0).matcher(question).matches()
          && asked.get(1).matcher(failure.status()).matches()
          && asked.get(2).matcher(failure.code()).matches()
          && text.matcher(failure.texts()).find()
          && settings.test(of);
    }

    /** Nobody was there to answer, or nobody whole. */
    boolean isNoAnswer() {
      return name().startsWith("net.");
    }

    /** The property, which is the list of gateways where the endpoint is not looked at. */
    String key(BucketSettings of) {
      return property().equals(S3aKey.ENDPOINT) && of.endpoints().size() > 1
          ? EndpointKey.ENDPOINTS.key()
          : property();
    }

    /**
     * What it says.
     *
     * @param quote after the cause
     * @param said for {@code {0}} and so on
     */
    Finding finding(BucketSettings of, String key, String value, String quote, Object... said) {
      return Finding.of(
          severity(cells[6].charAt(0)),
          key,
          value,
          origin(of, key),
          filled(cause(), of, said) + quote,
          remedy().startsWith(PUT)
              ? BucketSettings.put(key, filled(remedy().substring(PUT.length()), of, said))
              : filled(remedy(), of, said));
    }

    private String origin(BucketSettings of, String key) {
      if (key.matches("(fs|temptier|mapreduce|hadoop)\\..*")) {
        return of.origin(key);
      }
      return name().startsWith("jar.")
          ? "class path of this command"
          : key.startsWith("AWS_") ? "environment" : "the store's answer";
    }

    private static String filled(String text, BucketSettings of, Object... said) {
      String filled = text;
      for (int i = 0; i < said.length; i++) {
        filled = filled.replace("{" + i + "}", String.valueOf(said[i]));
      }
      return Strings.replaceAll(FILLED.matcher(filled), key -> of.value(key.group(1)));
    }

    private static Severity severity(char letter) {
      return Arrays.stream(Severity.values())
          .filter(severity -> severity.name().charAt(0) == letter)
          .findFirst()
          .orElseThrow(() -> new IllegalStateException("no severity: " + letter));
    }
  }

  /**
   * {@code KEY=REGEX}, {@code KEY!REGEX} or, only where a file sets it, {@code KEY:REGEX}; of sizes
   * {@code KEY<BYTES} and {@code KEY>BYTES}.
   */
  private static Predicate<BucketSettings> condition(String text) {
    Matcher form = CONDITION.matcher(text);
    if (!form.matches()) {
      throw new IllegalStateException("no condition: " + text);
    }
    String key = String.valueOf(form.group(1));
    String how = String.valueOf(form.group(2));
    if (how.matches("[<>]")) {
      return of -> isBeyond(of, key, how, Long.parseLong(String.valueOf(form.group(3))));
    }
    Pattern value = Pattern.compile(String.valueOf(form.group(3)), Pattern.CASE_INSENSITIVE);
    return of ->
        value.matcher(of.value(key)).matches() != how.equals("!")
            && (!how.equals(":") || of.isSet(key));
  }

  private static boolean isBeyond(BucketSettings of, String key, String how, long limit) {
    try {
      long bytes = of.conf().getLongBytes(key, limit);
      return how.equals("<") ? bytes < limit : bytes > limit;
    } catch (IllegalArgumentException e) {
      // S3A says that it is no size when it opens.
      return false;
    }
  }

  static List<Trouble> all() {
    return ALL;
  }

  /** What the settings show by themselves. */
  static List<Finding> ofSettings(BucketSettings of) {
    return ofSettings(SETTINGS, of);
  }

  /** The rows of that kind whose settings hold. */
  static List<Finding> ofSettings(String kind, BucketSettings of) {
    return ALL.stream()
        .filter(row -> row.cells[1].equals(kind) && row.settings.test(of))
        .map(row -> row.finding(of, row.key(of), of.value(row.key(of)), ""))
        .collect(Immutable.toList());
  }

  /** The row that explains a failure, if one does. */
  static Optional<Trouble> of(String question, Failure failure, BucketSettings of) {
    return ALL.stream().filter(row -> row.isMet(question, failure, of)).findFirst();
  }

  /** The finding of a check that knows which row it is. */
  static List<Finding> named(String name, BucketSettings of, String value, Object... said) {
    return at(row(name).key(of), value, name, of, said);
  }

  /** The same where something does not hold, else nothing. */
  static List<Finding> unless(
      boolean holds, String name, BucketSettings of, String value, Object... said) {
    return holds ? Immutable.listOf() : named(name, of, value, said);
  }

  /** The finding of a row about a property where something does not hold, else nothing. */
  static List<Finding> unlessAbout(boolean holds, String name, BucketSettings of, Object... said) {
    return holds ? Immutable.listOf() : about(name, of, said);
  }

  /** The finding of a row about a property, with the property's value. */
  static List<Finding> about(String name, BucketSettings of, Object... said) {
    return at(row(name).key(of), name, of, said);
  }

  /** The same of a row that is about several properties. */
  static List<Finding> at(String key, String name, BucketSettings of, Object... said) {
    return at(key, of.value(key), name, of, said);
  }

  /** The same with another value. */
  static List<Finding> at(
      String key, String value, String name, BucketSettings of, Object... said) {
    return Immutable.listOf(row(name).finding(of, key, value, "", said));
  }

  private static Trouble row(String name) {
    return ALL.stream()
        .filter(row -> row.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no row: " + name));
  }

  /**
   * What failed, as the finding that it is. What no row explains is told as it was said, with the
   * property that it names, or whose value it quotes.
   *
   * @param asked in what words
   */
  static Finding explain(String question, String asked, Failure failure, BucketSettings of) {
    return explain(question, asked, failure, of, Immutable.listOf());
  }

  /** The same with what else failed for that reason. */
  static Finding explain(
      String question, String asked, Failure failure, BucketSettings of, List<String> also) {
    String quote = " (" + asked + "; " + failure.said() + ")";
    String more = also.isEmpty() ? "" : " The same happened to: " + String.join(", ", also) + ".";
    Optional<Trouble> row = of(question, failure, of);
    if (row.isPresent()) {
      String key = row.get().key(of);
      return row.get().finding(of, key, of.value(key), quote + more, failure.said());
    }
    boolean here = failure.status().isEmpty();
    Optional<String> blamed = here ? blamed(failure, of) : Optional.<String>empty();
    return Finding.of(
        Severity.ERROR,
        blamed.orElse(asked),
        blamed.map(of::value).orElse(""),
        blamed.map(of::origin).orElse(here ? "this side" : "the store's answer"),
        "S3A fails at this, and so will jobs" + quote + "." + more,
        blamed
            .flatMap(name -> BucketSettings.hadoop().flatMap(version -> version.defaultOf(name)))
            .map(value -> "Mend the value, or take it out: Hadoop's default is " + value + ".")
            .orElse(
                "Look it up in Hadoop's \"Troubleshooting S3A\""
                    + (here ? "" : " and by its request id in the gateway's log")
                    + "; --debug shows the whole stack."));
  }

  /** The property that this side's error names, or whose value it quotes. */
  private static Optional<String> blamed(Failure failure, BucketSettings of) {
    String text = failure.texts();
    List<String> set = new ArrayList<>(of.given());
    set.removeIf(key -> !key.startsWith("fs.s3a."));
    for (Matcher key = KEY.matcher(text); key.find(); ) {
      String name = String.valueOf(key.group()).replaceFirst("\\.$", "");
      if (set.contains(name)) {
        return Optional.of(name);
      }
    }
    List<String> quoted = new ArrayList<>();
    for (Matcher quote = QUOTED.matcher(text); quote.find(); ) {
      quoted.add(String.valueOf(quote.group(1) == null ? quote.group(2) : quote.group(1)));
    }
    return set.stream()
        .filter(name -> of.value(name).length() > 1)
        .filter(name -> quoted.contains(of.value(name)) || isWord(of.value(name), text))
        .findFirst();
  }

  /** Whether a value that is no common word stands in a text by itself. */
  private static boolean isWord(String value, String text) {
    String alone = "(?<![\\w.])" + Pattern.quote(value) + "(?![\\w.])";
    return value.length() > 5 && Pattern.compile(alone).matcher(text).find();
  }

  private static List<Trouble> read() {
    try (InputStream in =
        Objects.requireNonNull(Troubles.class.getResourceAsStream("troubles.txt"))) {
      return Strings.lines(new String(Io.readAllBytes(in), StandardCharsets.UTF_8))
          .filter(line -> !line.trim().isEmpty() && !line.startsWith("#"))
          .map(Trouble::new)
          .collect(Immutable.toList());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
