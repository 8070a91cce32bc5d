// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.s3a.doctor;

import io.temptier.tier.lang.Strings;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;

/**
 * What ended a question without an answer, told apart by who said it: the store, what stands before
 * the store, or this side.
 */
final class Failure {
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
            + (ofStore ? ", request " + store.requestId() : ", without a request id");
  }

  private static String text(@Nullable String value) {
    return value == null || value.equals("null") ? "" : value.trim();
  }

  private static String shortened(String text) {
    return text.length() > LONGEST ? text.substring(0, LONGEST) + "..." : text;
  }
}
