// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.ApiCallAttemptTimeoutException;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.s3.model.S3Exception;

class OutcomeTest {
  /** As the HTTP clients name theirs, in whatever package. */
  private static final class ConnectTimeoutException extends InterruptedIOException {}

  private static final class ConnectionPoolTimeoutException extends InterruptedIOException {}

  /** As Netty names its own. */
  private static final class ReadTimeoutException extends RuntimeException {}

  static Stream<Arguments> causes() {
    return Stream.of(
        Arguments.of(new ConnectException("Connection refused"), Outcome.UNREACHABLE),
        Arguments.of(new UnknownHostException("rgw"), Outcome.UNREACHABLE),
        Arguments.of(new ConnectTimeoutException(), Outcome.UNREACHABLE),
        Arguments.of(new IOException(new ConnectException("wrapped")), Outcome.UNREACHABLE),
        Arguments.of(new ConnectionPoolTimeoutException(), Outcome.PASSING),
        Arguments.of(new SocketException("Connection reset"), Outcome.TROUBLE),
        Arguments.of(new SocketTimeoutException("Read timed out"), Outcome.SILENT),
        Arguments.of(new IOException("Read timed out", new ReadTimeoutException()), Outcome.SILENT),
        Arguments.of(new InterruptedIOException(), Outcome.UNKNOWN),
        Arguments.of(new InterruptedException(), Outcome.UNKNOWN),
        Arguments.of(new IllegalStateException("not open"), Outcome.UNKNOWN));
  }

  @ParameterizedTest
  @MethodSource("causes")
  void whatIsBelowTheSdksExceptionDecides(Throwable cause, Outcome expected) {
    assertEquals(expected, Outcome.of(SdkClientException.create("unable to execute", cause)));
    assertEquals(expected, Outcome.of(cause), "also alone");
  }

  @ParameterizedTest
  @CsvSource({
    "200, '', ANSWERED",
    "400, InvalidRequest, ANSWERED",
    "400, RequestTimeout, PASSING",
    "403, AccessDenied, ANSWERED",
    "403, RequestTimeTooSkewed, PASSING",
    "404, NoSuchKey, ANSWERED",
    "412, PreconditionFailed, ANSWERED",
    "429, TooManyRequests, THROTTLED",
    "500, InternalError, TROUBLE",
    "501, NotImplemented, ANSWERED",
    "400, SlowDown, THROTTLED",
    "503, SlowDown, THROTTLED",
    "503, '', THROTTLED",
    "504, '', TROUBLE",
  })
  void anAnswerIsJudgedByStatusAndCode(int status, String code, Outcome expected) {
    assertEquals(
        expected,
        Outcome.of(
            S3Exception.builder()
                .statusCode(status)
                .awsErrorDetails(AwsErrorDetails.builder().errorCode(code).build())
                .build()));
  }

  @Test
  void aCallerWhoGaveUpBlamesNobody() {
    assertEquals(
        Outcome.UNKNOWN, Outcome.of(AbortedException.create("", new InterruptedException())));
    assertEquals(Outcome.SILENT, Outcome.of(ApiCallAttemptTimeoutException.create(1)));
    assertEquals(Outcome.SILENT, Outcome.of(ApiCallTimeoutException.create(1)));
    assertTrue(Outcome.PASSING.retried && !Outcome.PASSING.blames());
    assertTrue(!Outcome.ANSWERED.retried && !Outcome.UNKNOWN.retried);
  }
}
