// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.s3a.doctor;

import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;

/**
 * What ended a question without an answer, told apart by who said it: the store, what stands before
 * the store, or this side.
 *
 * @param status of HTTP; empty where this side failed
 * @param code S3's own, such as {@code AccessDenied}; empty where there is none
 * @param texts the class and the text of each exception of the chain, one a line
 * @param said the same for people, once: whose word it is, and the store's verbatim
 */
record Failure(String status, String code, String texts, String said) {
  private static final int LONGEST = 300;
  private static final int DEEPEST = 20;

  static Failure of(Throwable thrown) {
    StringBuilder texts = new StringBuilder();
    @Nullable Failure store = null;
    Throwable cause = thrown;
    for (int depth = 0; cause != null && depth < DEEPEST; depth++) {
      texts.append(cause).append('\n');
      if (store == null && cause instanceof AwsServiceException) {
        store = ofStore((AwsServiceException) cause);
      }
      cause = cause.getCause();
    }
    if (store != null) {
      return new Failure(store.status, store.code, texts.toString(), store.said);
    }
    String text = String.valueOf(thrown.getMessage()).lines().findFirst().orElse("").trim();
    return new Failure(
        "",
        "",
        texts.toString(),
        "this side: " + thrown.getClass().getSimpleName() + ": " + shortened(text));
  }

  private static Failure ofStore(AwsServiceException answer) {
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
    return new Failure(status, code, "", said);
  }

  private static String text(@Nullable String value) {
    return value == null || value.equals("null") ? "" : value.trim();
  }

  private static String shortened(String text) {
    return text.length() > LONGEST ? text.substring(0, LONGEST) + "..." : text;
  }
}
