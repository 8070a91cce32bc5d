// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.s3a.doctor;

import io.temptier.cli.doctor.Rollout;
import io.temptier.cli.doctor.Troubles;
import io.temptier.s3a.endpoint.EndpointKey;
import io.temptier.s3a.profile.Settings;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.lang.Strings;
import io.temptier.tier.text.Finding;
import io.temptier.tier.text.Finding.Severity;
import io.temptier.tier.text.TextTable;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;

/**
 * Known troubles, with cause, property and remedy: the table {@code troubles.txt} beside this
 * class, whose head explains its columns. A trouble is one line there.
 */
final class StoreTroubles {
  private static final int COLUMNS = 11;
  private static final String STORE = "the store's answer";
  private static final Pattern FILLED = Pattern.compile("\\{([A-Za-z][\\w.-]*)}");
  private static final Pattern CONDITION = Pattern.compile("([\\w.-]+)([=!:])(.*)");
  static final List<Trouble> ALL =
      TextTable.read(StoreTroubles.class, "troubles.txt", COLUMNS).stream()
          .flatMap(Trouble::of)
          .collect(Immutable.toList());

  private StoreTroubles() {}

  /** A row about one of its properties. */
  static final class Trouble {
    final String name;
    private final Pattern question;
    private final Pattern status;
    private final Pattern code;
    private final Pattern text;
    private final List<String> conditions;
    private final Severity severity;

    /** True if the store can be asked nothing more. */
    final boolean ends;

    final String property;
    private final String cause;
    private final String remedy;

    private Trouble(String name, String property, List<String> cells) {
      this.name = name;
      this.question = Pattern.compile(cells.get(1));
      this.status = Pattern.compile(cells.get(2));
      this.code = Pattern.compile(cells.get(3));
      this.text = Pattern.compile(cells.get(4));
      this.conditions =
          Arrays.stream(cells.get(5).split(" & "))
              .filter(condition -> !condition.isEmpty())
              .map(condition -> condition.replaceFirst("^\\*", property))
              .collect(Immutable.toList());
      this.severity = Severity.valueOf(cells.get(6).replace("!", ""));
      this.ends = cells.get(6).endsWith("!");
      this.property = property;
      this.cause = cells.get(8);
      this.remedy = cells.get(9);
    }

    /** A trouble for each property of a row. */
    private static Stream<Trouble> of(List<String> cells) {
      String[] keys = cells.get(7).split(",");
      String name = cells.get(0);
      return Arrays.stream(keys)
          .map(key -> new Trouble(keys.length == 1 ? name : name + "." + key, key, cells));
    }

    /** True if the settings are as the row has them. */
    boolean holds(BucketSettings settings) {
      return conditions.stream().allMatch(condition -> isMet(condition, settings));
    }

    boolean explains(String asked, Failure failure, BucketSettings settings) {
      return (failure.status.isEmpty() || !isNoAnswer())
          && question.matcher(asked).matches()
          && (status.pattern().isEmpty() || status.matcher(failure.status).matches())
          && (code.pattern().isEmpty() || code.matcher(failure.code).matches())
          && text.matcher(failure.texts).find()
          && holds(settings);
    }

    /** True if no gateway answered, or none in full. */
    boolean isNoAnswer() {
      return name.startsWith("net.");
    }

    /** The property, which is the list of gateways where the endpoint is not looked at. */
    private String key(BucketSettings settings) {
      return property.equals(Settings.ENDPOINT) && settings.endpoints().size() > 1
          ? EndpointKey.ENDPOINTS.key()
          : property;
    }

    private Finding finding(
        BucketSettings settings, String key, String value, String quote, Object... values) {
      String origin =
          key.matches("(fs|temptier|mapred(uce)?|hadoop|spark)\\..*")
              ? settings.origin(key)
              : name.startsWith("jar.")
                  ? "class path of this command"
                  : key.matches("AWS_.*|proxy") ? "environment" : STORE;
      return Finding.of(
          severity,
          key,
          value,
          origin,
          filled(cause, settings, values) + quote,
          Troubles.remedy(
              remedy, Rollout.CORE_SITE, key, words -> filled(words, settings, values)));
    }
  }

  private static String filled(String text, BucketSettings settings, Object... values) {
    return Strings.replaceAll(
        FILLED.matcher(TextTable.fill(text, values)), key -> settings.shown(key.group(1)));
  }

  /** True if a setting meets a condition of a row: {@code =}, {@code !} or {@code :}. */
  private static boolean isMet(String condition, BucketSettings settings) {
    Matcher form = CONDITION.matcher(condition);
    if (!form.matches()) {
      throw new IllegalStateException("no condition: " + condition);
    }
    String key = String.valueOf(form.group(1));
    String operator = String.valueOf(form.group(2));
    String pattern =
        Strings.replaceAll(
            FILLED.matcher(String.valueOf(form.group(3))),
            reference -> Pattern.quote(settings.value(reference.group(1))));
    boolean equal =
        Pattern.compile(pattern, Pattern.CASE_INSENSITIVE).matcher(settings.value(key)).matches();
    return equal != operator.equals("!") && (!operator.equals(":") || settings.isSet(key));
  }

  /** Returns findings of the settings alone: the rows of that kind whose conditions hold. */
  static List<Finding> ofSettings(String kind, BucketSettings settings) {
    return ALL.stream()
        .filter(row -> row.question.pattern().equals(kind) && row.holds(settings))
        .map(row -> row.finding(settings, row.key(settings), settings.value(row.key(settings)), ""))
        .collect(Immutable.toList());
  }

  static Optional<Trouble> of(String question, Failure failure, BucketSettings settings) {
    return ALL.stream().filter(row -> row.explains(question, failure, settings)).findFirst();
  }

  /** Returns a check's finding by the name of the row, about the row's property. */
  static Finding named(String name, BucketSettings settings, Object... values) {
    return at(row(name).key(settings), name, settings, values);
  }

  /** Returns a check's finding about another property than the row's. */
  static Finding at(String key, String name, BucketSettings settings, Object... values) {
    return row(name).finding(settings, key, settings.value(key), "", values);
  }

  /** Returns a check's finding about something else than the property's value. */
  static Finding seen(String name, BucketSettings settings, String value, Object... values) {
    return row(name).finding(settings, row(name).key(settings), value, "", values);
  }

  private static Trouble row(String name) {
    return ALL.stream()
        .filter(row -> row.name.equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no row: " + name));
  }

  /**
   * Explains a failure by the first row that fits. A failure that no row explains is told as it was
   * said, with the property that it names, or whose value it quotes.
   *
   * @param asked the questions that failed so, in words; the first is quoted
   */
  static Finding explain(
      String question, Failure failure, BucketSettings settings, List<String> asked) {
    String also = String.join(", ", asked.subList(1, asked.size()));
    String quote =
        String.format(" (%s; %s)", asked.get(0), failure.said)
            + (also.isEmpty() ? "" : " The same happened to: " + also + ".");
    Trouble row = of(question, failure, settings).orElse(null);
    if (row != null) {
      return row.finding(
          settings, row.key(settings), settings.value(row.key(settings)), quote, failure.said);
    }
    boolean here = failure.status.isEmpty();
    String key = here ? blamed(failure.texts, settings) : "";
    String remedy =
        "Look it up in Hadoop's \"Troubleshooting S3A\""
            + (here ? "" : " and by its request id in the gateway's log")
            + "; --debug shows the whole stack.";
    return Finding.of(
        Severity.ERROR,
        key.isEmpty() ? asked.get(0) : key,
        key.isEmpty() ? "" : settings.value(key),
        !key.isEmpty() ? settings.origin(key) : here ? "this side" : STORE,
        "S3A fails at this, and so will jobs" + quote,
        BucketSettings.defaultOf(key)
            .map(value -> "Mend the value, or take it out: Hadoop's default is " + value + ".")
            .orElse(remedy));
  }

  /** The property that this side's error names, or else whose value it quotes; else empty. */
  private static String blamed(String text, BucketSettings settings) {
    Set<String> set = settings.given();
    set.removeIf(key -> !key.startsWith("fs.s3a."));
    return Stream.concat(
            set.stream().filter(key -> standsAlone(key, text)),
            set.stream().filter(key -> isQuoted(settings.value(key), text)))
        .findFirst()
        .orElse("");
  }

  /** True if a text has a value in quotes, or a value that is no common word without them. */
  private static boolean isQuoted(String value, String text) {
    boolean quoted = text.contains('"' + value + '"') || text.contains("'" + value + "'");
    return value.length() > 1 && (quoted || (value.length() > 5 && standsAlone(value, text)));
  }

  private static boolean standsAlone(String word, String text) {
    return Pattern.compile("(?<![\\w.])" + Pattern.quote(word) + "(?!\\.?\\w)")
        .matcher(text)
        .find();
  }

  /** Failure of a question, told apart by its source: the store, what stands before it, or us. */
  static final class Failure {
    private static final int LONGEST = 300;
    private static final int DEEPEST = 20;

    /** Status of HTTP; empty where this side failed. */
    final String status;

    /** S3's own, such as {@code AccessDenied}; empty where there is none. */
    final String code;

    /** The class and the text of each exception of the chain, one a line. */
    final String texts;

    /** Text for people, once: who says it, and the store's own words. */
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
        String text = Strings.lines(text(thrown.getMessage())).findFirst().orElse("");
        said = "this side: " + thrown.getClass().getSimpleName() + ": " + text;
        return;
      }
      AwsErrorDetails details = store.awsErrorDetails();
      status = String.valueOf(store.statusCode());
      code = details == null ? "" : text(details.errorCode());
      String message = details == null ? "" : text(details.errorMessage());
      String request = text(store.requestId());
      boolean page = code.isEmpty() && details != null && details.rawResponse() != null;
      said =
          (request.isEmpty() ? "what stands before the store: status " : "the store: status ")
              + (code.equals(status) ? status : (status + " " + code).trim())
              + (message.isEmpty() ? "" : ", \"" + message + "\"")
              + (request.isEmpty() ? ", without a request id" : ", request " + request)
              + (page ? ", page " + PlainRequest.words(details.rawResponse().asUtf8String()) : "");
    }

    private static String text(@Nullable String value) {
      String trimmed = value == null || value.equals("null") ? "" : value.trim();
      return trimmed.length() > LONGEST ? trimmed.substring(0, LONGEST) + "..." : trimmed;
    }
  }
}
