// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.s3a.doctor;

import com.google.auto.value.AutoValue;
import io.temptier.s3a.endpoint.EndpointKey;
import io.temptier.tier.Finding;
import io.temptier.tier.Finding.Severity;
import io.temptier.tier.Immutable;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
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
import java.util.stream.Collectors;

/**
 * What is known to go wrong, with cause, property and remedy: the table {@code troubles.txt} beside
 * this class, whose head says what its columns mean. A trouble is one line there.
 */
final class Troubles {
  /** Of rows that the settings decide, before anything is asked. */
  private static final String SETTINGS = "settings";

  private static final String PUT = "PUT ";
  private static final Pattern QUOTED = Pattern.compile("\"([^\"]+)\"|'([^']+)'");
  private static final Pattern KEY = Pattern.compile("(?:fs\\.s3a|hadoop|mapreduce)\\.[a-z0-9.]+");
  private static final List<Trouble> ALL = read();

  private Troubles() {}

  /** A row. */
  @AutoValue
  abstract static class Trouble {
    abstract String name();

    abstract Pattern asked();

    abstract Pattern status();

    abstract Pattern code();

    abstract Pattern text();

    abstract List<Condition> settings();

    abstract Severity severity();

    /** Whether the store can be asked nothing more. */
    abstract boolean ends();

    abstract String property();

    /**
     * With {@code {KEY}} for the value of a property and {@code {0}} for what a check has to say.
     */
    abstract String cause();

    abstract String remedy();

    /** On which release, or who says so. */
    abstract String seen();

    static Trouble of(
        String name,
        Pattern asked,
        Pattern status,
        Pattern code,
        Pattern text,
        List<Condition> settings,
        Severity severity,
        boolean ends,
        String property,
        String cause,
        String remedy,
        String seen) {
      return new AutoValue_Troubles_Trouble(
          name, asked, status, code, text, settings, severity, ends, property, cause, remedy, seen);
    }

    boolean isMet(String question, Failure failure, BucketSettings of) {
      return !question.equals(SETTINGS)
          && (failure.status().isEmpty() || !isNoAnswer())
          && asked().matcher(question).matches()
          && status().matcher(failure.status()).matches()
          && code().matcher(failure.code()).matches()
          && text().matcher(failure.texts()).find()
          && holds(of);
    }

    private boolean holds(BucketSettings of) {
      return settings().stream().allMatch(condition -> condition.test(of));
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

    Finding finding(BucketSettings of, String value, Object... said) {
      String key = key(of);
      return Finding.of(
          severity(),
          key,
          value,
          key.matches("(fs|temptier|mapreduce)\\..*")
              ? of.origin(key)
              : key.startsWith("AWS_") ? "environment" : "the store's answer",
          filled(cause(), of, said),
          remedy().startsWith(PUT)
              ? BucketSettings.put(property(), remedy().substring(PUT.length()))
              : filled(remedy(), of, said));
    }

    private static String filled(String text, BucketSettings of, Object... said) {
      String filled = text;
      for (int i = 0; i < said.length; i++) {
        filled = filled.replace("{" + i + "}", String.valueOf(said[i]));
      }
      Matcher key = Pattern.compile("\\{([A-Za-z][\\w.]*)}").matcher(filled);
      StringBuffer all = new StringBuffer();
      while (key.find()) {
        String name = String.valueOf(key.group(1));
        key.appendReplacement(all, Matcher.quoteReplacement(of.value(name)));
      }
      return key.appendTail(all).toString();
    }
  }

  /** {@code KEY=REGEX}, {@code KEY!REGEX} or, only where a file sets it, {@code KEY:REGEX}. */
  @AutoValue
  abstract static class Condition implements Predicate<BucketSettings> {

    private static final Pattern FORM = Pattern.compile("([\\w.-]+)([=!:])(.*)");

    abstract String key();

    abstract char how();

    abstract Pattern value();

    static Condition of(String key, char how, Pattern value) {
      return new AutoValue_Troubles_Condition(key, how, value);
    }

    static Condition of(String text) {
      Matcher form = FORM.matcher(text);
      if (!form.matches()) {
        throw new IllegalArgumentException("no condition: " + text);
      }
      return Condition.of(
          String.valueOf(form.group(1)),
          String.valueOf(form.group(2)).charAt(0),
          Pattern.compile(String.valueOf(form.group(3)), Pattern.CASE_INSENSITIVE));
    }

    @Override
    public boolean test(BucketSettings of) {
      boolean matches = value().matcher(of.value(key())).matches();
      return how() == '!' ? !matches : matches && (how() == '=' || of.isSet(key()));
    }
  }

  static List<Trouble> all() {
    return ALL;
  }

  /** What the settings show by themselves. */
  static List<Finding> ofSettings(BucketSettings of) {
    return ALL.stream()
        .filter(row -> row.asked().pattern().equals(SETTINGS) && row.holds(of))
        .map(row -> row.finding(of, of.value(row.key(of))))
        .collect(Collectors.toList());
  }

  /** The row that explains a failure, if one does. */
  static Optional<Trouble> of(String question, Failure failure, BucketSettings of) {
    return ALL.stream().filter(row -> row.isMet(question, failure, of)).findFirst();
  }

  /** The finding of a check that knows which row it is. */
  static List<Finding> named(String name, BucketSettings of, String value, Object... said) {
    return ALL.stream()
        .filter(row -> row.name().equals(name))
        .map(row -> row.finding(of, value, said))
        .collect(Collectors.toList());
  }

  /** The finding of a row about a property, with the property's value. */
  static List<Finding> about(String name, BucketSettings of, Object... said) {
    return ALL.stream()
        .filter(row -> row.name().equals(name))
        .map(row -> row.finding(of, of.value(row.key(of)), said))
        .collect(Collectors.toList());
  }

  /**
   * What failed, as the finding that it is. What no row explains is told as it was said, with the
   * property that it names, or whose value it quotes.
   *
   * @param asked in what words
   */
  static Finding explain(String question, String asked, Failure failure, BucketSettings of) {
    String quote = " (" + asked + "; " + failure.said() + ")";
    Optional<Trouble> row = of(question, failure, of);
    if (row.isPresent()) {
      Trouble known = row.get();
      Finding finding = known.finding(of, of.value(known.key(of)), failure.said());
      return Finding.of(
          finding.severity(),
          finding.key(),
          finding.value(),
          finding.origin(),
          finding.consequence() + quote,
          finding.remedy());
    }
    boolean here = failure.status().isEmpty();
    Optional<String> blamed = here ? blamed(failure, of) : Optional.<String>empty();
    String key = blamed.orElse(asked);
    return Finding.of(
        Severity.ERROR,
        key,
        blamed.map(of::value).orElse(""),
        blamed.map(of::origin).orElse(here ? "this side" : "the store's answer"),
        "S3A fails at this, and so will jobs" + quote + ".",
        blamed
            .flatMap(name -> BucketSettings.hadoop().flatMap(version -> version.defaultOf(name)))
            .filter(value -> !value.isEmpty())
            .map(value -> "Mend the value, or take it out: Hadoop's default is " + value + ".")
            .orElse(
                "Look it up in Hadoop's \"Troubleshooting S3A\""
                    + (here ? "" : " and by its request id in the gateway's log")
                    + "; --debug shows the whole stack."));
  }

  /** The property that this side's error names, or whose value it quotes. */
  private static Optional<String> blamed(Failure failure, BucketSettings of) {
    List<String> set =
        of.given().stream().filter(key -> key.startsWith("fs.s3a.")).collect(Collectors.toList());
    List<String> named = new ArrayList<>();
    Matcher key = KEY.matcher(failure.texts());
    while (key.find()) {
      named.add(String.valueOf(key.group()).replaceFirst("\\.$", ""));
    }
    Optional<String> first = named.stream().filter(set::contains).findFirst();
    if (first.isPresent()) {
      return first;
    }
    List<String> quoted = new ArrayList<>();
    Matcher quote = QUOTED.matcher(failure.texts());
    while (quote.find()) {
      quoted.add(String.valueOf(quote.group(1) == null ? quote.group(2) : quote.group(1)));
    }
    return set.stream()
        .filter(name -> of.value(name).length() > 1)
        .filter(name -> quoted.contains(of.value(name)) || isWord(of.value(name), failure.texts()))
        .findFirst();
  }

  /** Whether a value that is no common word stands in a text by itself. */
  private static boolean isWord(String value, String text) {
    return value.length() > 5
        && Pattern.compile("(?<![\\w.])" + Pattern.quote(value) + "(?![\\w.])")
            .matcher(text)
            .find();
  }

  private static List<Trouble> read() {
    try (InputStream in =
            Objects.requireNonNull(Troubles.class.getResourceAsStream("troubles.txt"));
        BufferedReader lines =
            new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      return lines
          .lines()
          .filter(line -> !line.trim().isEmpty() && !line.startsWith("#"))
          .map(Troubles::row)
          .collect(Collectors.toList());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Trouble row(String line) {
    String[] cells =
        Arrays.stream(line.split(" +\\| ?", -1)).map(String::trim).toArray(String[]::new);
    if (cells.length != 11) {
      throw new IllegalStateException(cells.length + " columns, not 11: " + line);
    }
    return Trouble.of(
        cells[0],
        Pattern.compile(cells[1]),
        Pattern.compile(cells[2].isEmpty() ? ".*" : cells[2]),
        Pattern.compile(cells[3].isEmpty() ? ".*" : cells[3]),
        Pattern.compile(cells[4]),
        cells[5].isEmpty()
            ? Immutable.listOf()
            : Arrays.stream(cells[5].split(" & ")).map(Condition::of).collect(Collectors.toList()),
        severity(cells[6].charAt(0)),
        cells[6].endsWith("!"),
        cells[7],
        cells[8],
        cells[9],
        cells[10]);
  }

  private static Severity severity(char letter) {
    return Arrays.stream(Severity.values())
        .filter(severity -> severity.name().charAt(0) == letter)
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("no severity: " + letter));
  }
}
