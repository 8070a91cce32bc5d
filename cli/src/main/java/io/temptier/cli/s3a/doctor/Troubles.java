// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.s3a.doctor;

import static io.temptier.cli.doctor.Troubles.remedy;

import io.temptier.cli.doctor.Rollout;
import io.temptier.s3a.endpoint.EndpointKey;
import io.temptier.s3a.profile.Settings;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.lang.Strings;
import io.temptier.tier.text.Finding;
import io.temptier.tier.text.Finding.Severity;
import io.temptier.tier.text.TextTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;

/**
 * What is known to go wrong, with cause, property and remedy: the table {@code troubles.txt} beside
 * this class, whose head says what its columns mean. A trouble is one line there.
 */
final class Troubles {
  private static final int COLUMNS = 11;
  private static final Pattern FILLED = Pattern.compile("\\{([A-Za-z][\\w.-]*)}");
  private static final Pattern QUOTED = Pattern.compile("\"([^\"]+)\"|'([^']+)'");
  private static final Pattern KEY = Pattern.compile("(?:fs\\.s3a|hadoop|mapreduce)\\.[a-z0-9.]+");
  private static final Pattern CONDITION = Pattern.compile("([\\w.-]+)([=!:>]|<=?)(.*)");
  private static final String MILLIS = "ms";
  static final List<Trouble> ALL =
      TextTable.read(Troubles.class, "troubles.txt", COLUMNS).stream()
          .flatMap(Trouble::of)
          .collect(Immutable.toList());

  private Troubles() {}

  static final class Trouble {
    final String name;
    final String property;
    private final List<String> cells;
    private final List<Pattern> asked = new ArrayList<>();
    private final Pattern text;
    private final Predicate<BucketSettings> settings;

    private Trouble(String name, String property, List<String> cells) {
      this.name = name;
      this.property = property;
      this.cells = cells;
      for (int i = 1; i <= 3; i++) {
        String cell = cells.get(i);
        asked.add(Pattern.compile(cell.isEmpty() && i > 1 ? ".*" : cell));
      }
      text = Pattern.compile(cells.get(4));
      settings =
          Arrays.stream(cells.get(5).split(" & "))
              .filter(each -> !each.isEmpty())
              .map(each -> condition(each.replaceFirst("^\\*", property)))
              .reduce(of -> true, Predicate::and);
    }

    /** A trouble for each property of a row. */
    private static Stream<Trouble> of(List<String> cells) {
      if (cells.subList(6, COLUMNS).contains("")) {
        throw new IllegalStateException("the last five cells are not filled: " + cells);
      }
      String[] keys = cells.get(7).split(",");
      String name = cells.get(0);
      return Arrays.stream(keys)
          .map(key -> new Trouble(keys.length == 1 ? name : name + "." + key, key, cells));
    }

    /** Whether the store can be asked nothing more. */
    boolean ends() {
      return cells.get(6).endsWith("!");
    }

    private boolean isMet(String question, Failure failure, BucketSettings of) {
      return (failure.status.isEmpty() || !isNoAnswer())
          && asked.get(0).matcher(question).matches()
          && asked.get(1).matcher(failure.status).matches()
          && asked.get(2).matcher(failure.code).matches()
          && text.matcher(failure.texts).find()
          && settings.test(of);
    }

    /** Nobody was there to answer, or nobody whole. */
    boolean isNoAnswer() {
      return name.startsWith("net.");
    }

    /** The property, which is the list of gateways where the endpoint is not looked at. */
    private String key(BucketSettings of) {
      return property.equals(Settings.ENDPOINT) && of.endpoints().size() > 1
          ? EndpointKey.ENDPOINTS.key()
          : property;
    }

    private Finding finding(
        BucketSettings of, String key, String value, String quote, Object... said) {
      return Finding.of(
          Severity.valueOf(cells.get(6).replace("!", "")),
          key,
          // No password that a URL holds.
          value.replaceAll("//[^/@]*@", "//<redacted>@"),
          origin(of, key),
          filled(cells.get(8), of, said) + quote,
          remedy(cells.get(9), Rollout.CORE_SITE, key, words -> filled(words, of, said)));
    }

    private String origin(BucketSettings of, String key) {
      if (key.matches("(fs|temptier|mapreduce|hadoop)\\..*")) {
        return of.origin(key);
      }
      return name.startsWith("jar.")
          ? "class path of this command"
          : key.startsWith("AWS_") ? "environment" : "the store's answer";
    }
  }

  private static String filled(String text, BucketSettings of, Object... said) {
    return Strings.replaceAll(
        FILLED.matcher(TextTable.fill(text, said)), key -> of.shown(key.group(1)));
  }

  /** What a setting has to be for a row. */
  private static Predicate<BucketSettings> condition(String text) {
    Matcher form = CONDITION.matcher(text);
    if (!form.matches()) {
      throw new IllegalStateException("no condition: " + text);
    }
    String key = String.valueOf(form.group(1));
    String how = String.valueOf(form.group(2));
    String what = String.valueOf(form.group(3));
    return how.matches("[<>]=?")
        ? of -> isBeyond(of, key, how, filled(what, of))
        : of -> isLike(of, key, how, what);
  }

  private static boolean isLike(BucketSettings of, String key, String how, String what) {
    String like =
        Strings.replaceAll(FILLED.matcher(what), it -> Pattern.quote(of.value(it.group(1))));
    boolean is = Pattern.compile(like, Pattern.CASE_INSENSITIVE).matcher(of.value(key)).matches();
    return is != how.equals("!") && (!how.equals(":") || of.isSet(key));
  }

  private static boolean isBeyond(BucketSettings of, String key, String how, String bound) {
    try {
      long limit = Long.parseLong(bound.replace(MILLIS, ""));
      long is =
          bound.endsWith(MILLIS)
              ? of.conf.getTimeDuration(key, limit, TimeUnit.MILLISECONDS)
              : of.conf.getLongBytes(key, limit);
      return how.equals(">") ? is > limit : is < limit || (is == limit && how.equals("<="));
    } catch (IllegalArgumentException e) {
      // S3A says that it is no number when it opens.
      return false;
    }
  }

  /** What the settings show by themselves: the rows of that kind whose settings hold. */
  static List<Finding> ofSettings(String kind, BucketSettings of) {
    return ALL.stream()
        .filter(row -> row.cells.get(1).equals(kind) && row.settings.test(of))
        .map(row -> row.finding(of, row.key(of), of.value(row.key(of)), ""))
        .collect(Immutable.toList());
  }

  /** The row that explains a failure, if one does. */
  static Optional<Trouble> of(String question, Failure failure, BucketSettings of) {
    return ALL.stream().filter(row -> row.isMet(question, failure, of)).findFirst();
  }

  /** What a check found, by the name of the row: about its property. */
  static Finding named(String name, BucketSettings of, Object... said) {
    return at(row(name).key(of), name, of, said);
  }

  /** The same about another property. */
  static Finding at(String key, String name, BucketSettings of, Object... said) {
    return row(name).finding(of, key, of.value(key), "", said);
  }

  /** The same about what is no property, or another value than the property's. */
  static Finding seen(String name, BucketSettings of, String value, Object... said) {
    return row(name).finding(of, row(name).key(of), value, "", said);
  }

  private static Trouble row(String name) {
    return ALL.stream()
        .filter(row -> row.name.equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no row: " + name));
  }

  /**
   * What failed, as the finding that it is. What no row explains is told as it was said, with the
   * property that it names, or whose value it quotes.
   *
   * @param asked in what words; the first are of what failed so, the others failed alike
   */
  static Finding explain(String question, Failure failure, BucketSettings of, List<String> asked) {
    String also = String.join(", ", asked.subList(1, asked.size()));
    String quote =
        String.format(" (%s; %s)", asked.get(0), failure.said)
            + (also.isEmpty() ? "" : " The same happened to: " + also + ".");
    Trouble row = of(question, failure, of).orElse(null);
    if (row != null) {
      return row.finding(of, row.key(of), of.value(row.key(of)), quote, failure.said);
    }
    boolean here = failure.status.isEmpty();
    Optional<String> blamed = here ? blamed(failure, of) : Optional.<String>empty();
    return Finding.of(
        Severity.ERROR,
        blamed.orElse(asked.get(0)),
        blamed.map(of::value).orElse(""),
        blamed.map(of::origin).orElse(here ? "this side" : "the store's answer"),
        "S3A fails at this, and so will jobs" + quote,
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
    String text = failure.texts;
    Set<String> set = of.given();
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

  /**
   * What ended a question without an answer, told apart by who said it: the store, what stands
   * before the store, or this side.
   */
  static final class Failure {
    private static final int LONGEST = 300;
    private static final int DEEPEST = 20;

    /** Of HTTP; empty where this side failed. */
    final String status;

    /** S3's own, such as {@code AccessDenied}; empty where there is none. */
    final String code;

    /** The class and the text of each exception of the chain, one a line. */
    final String texts;

    /** The same for people, once: whose word it is, and the store's verbatim. */
    final String said;

    Failure(Throwable thrown) {
      StringBuilder chain = new StringBuilder();
      @Nullable AwsServiceException store = null;
      Throwable cause = thrown;
      for (int depth = 0; cause != null && depth < DEEPEST; depth++) {
        chain.append(cause).append('\n');
        if (store == null && cause instanceof AwsServiceException) {
          store = (AwsServiceException) cause;
        }
        cause = cause.getCause();
      }
      texts = chain.toString();
      if (store == null) {
        status = "";
        code = "";
        String text = Strings.lines(text(thrown.getMessage())).findFirst().orElse("").trim();
        said = "this side: " + thrown.getClass().getSimpleName() + ": " + shortened(text);
        return;
      }
      AwsErrorDetails details = store.awsErrorDetails();
      status = String.valueOf(store.statusCode());
      code = details == null ? "" : text(details.errorCode());
      String message = details == null ? "" : text(details.errorMessage());
      boolean ofStore = !text(store.requestId()).isEmpty();
      said =
          (ofStore ? "the store: status " : "what stands before the store: status ")
              + status
              + (code.isEmpty() || code.equals(status) ? "" : " " + code)
              + (message.isEmpty() ? "" : ", \"" + shortened(message) + "\"")
              + (ofStore ? ", request " + store.requestId() : ", without a request id")
              + (details == null || details.rawResponse() == null || !code.isEmpty()
                  ? ""
                  : ", page " + PlainRequest.words(details.rawResponse().asUtf8String()));
    }

    private static String text(@Nullable String value) {
      return value == null || value.equals("null") ? "" : value.trim();
    }

    private static String shortened(String text) {
      return text.length() > LONGEST ? text.substring(0, LONGEST) + "..." : text;
    }
  }
}
