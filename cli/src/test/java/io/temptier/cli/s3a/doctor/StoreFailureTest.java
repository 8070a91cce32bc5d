// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.s3a.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.tier.Finding;
import io.temptier.tier.Finding.Severity;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.services.s3.model.S3Exception;

class StoreFailureTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SIGNER | S3Exception: (Service: S3, Status Code: 400):XAmzContentSHA256Mismatch",
        "WRONG_ACCESS_KEY | S3Exception: (Service: S3, Status Code: 403):InvalidAccessKeyId",
        "WRONG_SECRET_KEY | S3Exception: (Service: S3, Status Code: 403):SignatureDoesNotMatch",
        "CLOCK | S3Exception: (Service: S3, Status Code: 403):RequestTimeTooSkewed",
        "FULL | AccessDeniedException: S3Exception: (Status Code: 403):QuotaExceeded",
        "PROXY | no connection to the proxy /127.0.0.1:1: Connection refused",
        "NOT_S3 | it answers with status 404, and not as S3 does",
        "BROKEN | it answers with status 503",
        "DENIED | S3Exception: (Service: S3, Status Code: 403):AccessDenied",
        "REGION | The authorization header is malformed (Status Code:"
            + " 400):AuthorizationHeaderMalformed",
        "REGION | (Service: S3, Status Code: 301):PermanentRedirect",
        "NO_BUCKET | NoSuchBucketException: (Service: S3, Status Code: 404):NoSuchBucket",
        "REFUSED | Connect to 127.0.0.1:1 failed: Connection refused",
        "TLS_TO_PLAIN | SSLException: Unsupported or unrecognized SSL message",
        "CERTIFICATE | PKIX path building failed: unable to find valid certification path",
        "UNKNOWN_HOST | UnknownHostException: bucket.rgw",
        "GONE | The target server failed to respond",
        "SLOW | Read timed out",
      })
  void isToldByWhatStandsInTheCauses(StoreFailure expected, String text) {
    assertEquals(
        Optional.of(expected), StoreFailure.of(new IOException("s3a", new IOException(text))));
  }

  @Test
  void otherFailuresAreTheirOwn() {
    assertEquals(Optional.empty(), StoreFailure.of(new IOException("something new")));
  }

  /** Only a refusal by the store makes an error of it. */
  @ParameterizedTest
  @CsvSource({"0, 0", "59, 0", "-59, 0", "61, 1", "-899, 1", "100000, 1"})
  void clocksMayDifferALittle(long secondsAhead, int findings) {
    List<Finding> found = GatewayChecks.clocks(Duration.ofSeconds(secondsAhead));
    assertEquals(findings, found.size(), found::toString);
    for (Finding finding : found) {
      assertEquals(Severity.WARNING, finding.severity());
      assertTrue(finding.value().contains(secondsAhead > 0 ? "ahead" : "behind"), finding.value());
    }
  }

  @Test
  void theStoreIsQuotedByItsOwnCode() {
    AwsServiceException refusal =
        S3Exception.builder()
            .message("a".repeat(400))
            .statusCode(403)
            .requestId("tx1")
            .awsErrorDetails(AwsErrorDetails.builder().errorCode("QuotaExceeded").build())
            .build();
    assertEquals(
        "status 403 QuotaExceeded, request tx1",
        StoreFailure.said(new AccessDeniedException("/", null, "a").initCause(refusal)));
  }
}
