// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.s3a.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.tier.Finding;
import io.temptier.tier.Finding.Severity;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SymptomTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SIGNER | S3Exception: (Service: S3, Status Code: 400):XAmzContentSHA256Mismatch",
        "WRONG_ACCESS_KEY | S3Exception: (Service: S3, Status Code: 403):InvalidAccessKeyId",
        "WRONG_SECRET_KEY | S3Exception: (Service: S3, Status Code: 403):SignatureDoesNotMatch",
        "CLOCK | S3Exception: (Service: S3, Status Code: 403):RequestTimeTooSkewed",
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
  void isToldByWhatStandsInTheCauses(Symptom expected, String text) {
    assertEquals(expected, Symptom.of(new IOException("s3a", new IOException(text))));
  }

  @Test
  void otherFailuresAreTheirOwn() {
    assertNull(Symptom.of(new IOException("something new")));
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "59, 0", "-59, 0", "61, 1", "-899, 1", "901, 2", "-100000, 2"})
  void clocksMayDifferALittle(long secondsAhead, int severity) {
    Instant there = Instant.parse("2026-01-01T00:00:00Z");
    List<Finding> found = GatewayCheck.clocks(there.plusSeconds(secondsAhead), there);
    assertEquals(severity == 0 ? 0 : 1, found.size(), found::toString);
    for (Finding finding : found) {
      assertEquals(severity == 1 ? Severity.WARNING : Severity.ERROR, finding.severity());
      assertTrue(finding.value().contains(secondsAhead > 0 ? "ahead" : "behind"), finding.value());
    }
  }
}
