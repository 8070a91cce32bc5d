// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.endpoint;

import io.temptier.tier.lang.Immutable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedByInterruptException;
import java.util.Set;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.ApiCallAttemptTimeoutException;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.core.exception.NonRetryableException;
import software.amazon.awssdk.core.exception.SdkServiceException;

/** Meaning of a request's end for its gateway, and for another try. */
enum Outcome {
  /** The gateway did its work; that the answer is an error does not matter. */
  ANSWERED(false),
  /** Means that nobody is there: no connection came about. */
  UNREACHABLE(true),
  /** Means that it took the request, and was silent for too long. */
  SILENT(true),
  /** Means that it broke off, or says itself that it cannot. */
  TROUBLE(true),
  /** Means that it, or the whole store, asks for fewer requests. */
  THROTTLED(true),
  /** Worth a retry, as the SDK does, and no fault of the gateway. */
  PASSING(true),
  /** Means that nothing was learnt: the caller gave up, or cannot send. */
  UNKNOWN(false);

  private static final Set<Integer> BROKEN = Immutable.setOf(500, 502, 504);

  /** Status codes that S3A takes for busy: answers to HEAD have no code. */
  private static final Set<Integer> BUSY = Immutable.setOf(429, 503);

  /** Codes of {@code AwsErrorCode.RETRYABLE_ERROR_CODES} of the SDK, which is not public. */
  private static final Set<String> PASSING_CODES =
      Immutable.setOf("PriorRequestNotComplete", "RequestTimeout", "RequestTimeoutException");

  /** Name of a class: where the SDK comes as one bundle, its HTTP client has another package. */
  private static final String CONNECT_TIMEOUT = "ConnectTimeoutException";

  /** Name of a class: jars that Hadoop brings have it as well as the JDK. */
  private static final String NO_XML = "XMLStreamException";

  private static final String POOL_TIMEOUT = "ConnectionPoolTimeoutException";

  /** Names of classes of the asynchronous client. */
  private static final Set<String> IDLE_TIMEOUTS =
      Immutable.setOf("ReadTimeoutException", "WriteTimeoutException");

  final boolean retried;

  Outcome(boolean retried) {
    this.retried = retried;
  }

  boolean blames() {
    return this != ANSWERED && this != PASSING && this != UNKNOWN;
  }

  static Outcome of(Throwable failure) {
    if (failure instanceof SdkServiceException) {
      return ofAnswer((SdkServiceException) failure);
    }
    if (failure instanceof AbortedException || failure instanceof NonRetryableException) {
      return UNKNOWN;
    }
    if (failure instanceof ApiCallAttemptTimeoutException
        || failure instanceof ApiCallTimeoutException) {
      return SILENT;
    }
    Outcome outcome = UNKNOWN;
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (isInterruption(cause)) {
        return UNKNOWN;
      }
      if (named(cause, POOL_TIMEOUT)) {
        return PASSING;
      }
      if (cause instanceof ConnectException
          || cause instanceof UnknownHostException
          || cause instanceof NoRouteToHostException
          || named(cause, CONNECT_TIMEOUT)) {
        return UNREACHABLE;
      }
      if (cause instanceof SocketTimeoutException
          || IDLE_TIMEOUTS.contains(cause.getClass().getSimpleName())) {
        return SILENT;
      }
      // An answer that is no XML is a page, and not the store's.
      if (cause instanceof IOException || named(cause, NO_XML)) {
        outcome = TROUBLE;
      }
    }
    return outcome;
  }

  private static Outcome ofAnswer(SdkServiceException answer) {
    AwsErrorDetails details =
        answer instanceof AwsServiceException
            ? ((AwsServiceException) answer).awsErrorDetails()
            : null;
    if (details != null && Answers.isPage(details.sdkHttpResponse())) {
      return TROUBLE;
    }
    if (BROKEN.contains(answer.statusCode())) {
      return TROUBLE;
    }
    if (BUSY.contains(answer.statusCode()) || answer.isThrottlingException()) {
      return THROTTLED;
    }
    if (answer.isClockSkewException()) {
      return PASSING;
    }
    return details != null && PASSING_CODES.contains(String.valueOf(details.errorCode()))
        ? PASSING
        : ANSWERED;
  }

  private static boolean isInterruption(Throwable cause) {
    return cause instanceof InterruptedException
        || cause instanceof ClosedByInterruptException
        || (cause instanceof InterruptedIOException
            && !(cause instanceof SocketTimeoutException)
            && !named(cause, CONNECT_TIMEOUT)
            && !named(cause, POOL_TIMEOUT));
  }

  private static boolean named(Throwable cause, String name) {
    for (Class<?> type = cause.getClass(); type != null; type = type.getSuperclass()) {
      if (type.getSimpleName().equals(name)) {
        return true;
      }
    }
    return false;
  }
}
