// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.s3a.doctor;

import com.google.auto.value.AutoValue;
import io.temptier.tier.lang.Strings;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;

/**
 * What ended a question without an answer, told apart by who said it: the store, what stands before
 * the store, or this side.
 */
@AutoValue
abstract class Failure {
  private static final int LONGEST = 300;
  private static final int DEEPEST = 20;

  /** Of HTTP; empty where this side failed. */
  abstract String status();

  /** S3's own, such as {@code AccessDenied}; empty where there is none. */
  abstract String code();

  /** The class and the text of each exception of the chain, one a line. */
  abstract String texts();

  /** The same for people, once: whose word it is, and the store's verbatim. */
  abstract String said();

  static Failure of(Throwable thrown) {
    StringBuilder texts = new StringBuilder();
    @Nullable AwsServiceException store = null;
    Throwable cause = thrown;
    for (int depth = 0; cause != null && depth < DEEPEST; depth++) {
      texts.append(cause).append('\n');
      if (store == null && cause instanceof AwsServiceException) {
        store = (AwsServiceException) cause;
      }
      cause = cause.getCause();
    }
    if (store != null) {
      return ofStore(store, texts.toString());
    }
    String text = Strings.lines(String.valueOf(thrown.getMessage())).findFirst().orElse("").trim();
    String said = "this side: " + thrown.getClass().getSimpleName() + ": " + shortened(text);
    return new AutoValue_Failure("", "", texts.toString(), said);
  }

  private static Failure ofStore(AwsServiceException answer, String texts) {
    AwsErrorDetails details = answer.awsErrorDetails();
    String code = details == null ? "" : text(details.errorCode());
    String message = details == null ? "" : text(details.errorMessage());
    String status = String.valueOf(answer.statusCode());
    boolean ofStore = !text(answer.requestId()).isEmpty();
    String said =
        (ofStore ? "the store: status " : "what stands before the store: status ")
            + status
            + (code.isEmpty() || code.equals(status) ? "" : " " + code)
            + (message.isEmpty() ? "" : ", \"" + shortened(message) + "\"")
            + (ofStore ? ", request " + answer.requestId() : ", without a request id");
    return new AutoValue_Failure(status, code, texts, said);
  }

  private static String text(@Nullable String value) {
    return value == null || value.equals("null") ? "" : value.trim();
  }

  private static String shortened(String text) {
    return text.length() > LONGEST ? text.substring(0, LONGEST) + "..." : text;
  }
}
