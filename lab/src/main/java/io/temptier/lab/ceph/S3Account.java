// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.ceph;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** A user of the gateways. */
public record S3Account(String user, String accessKey, String secretKey) {
  private static final String HMAC = "HmacSHA1";
  private static final Duration DEADLINE = Duration.ofMinutes(5);
  private static final int OK = 200;

  /**
   * Makes a bucket, which S3A does not, by S3's signature of version 2, which gateways take.
   * Harmless when the account has it already.
   */
  void makeBucket(URI gateway, String bucket) throws IOException {
    String date = DateTimeFormatter.RFC_1123_DATE_TIME.format(ZonedDateTime.now(ZoneOffset.UTC));
    String signature = signature("PUT\n\n\n\nx-amz-date:" + date + "\n/" + bucket);
    HttpRequest request =
        HttpRequest.newBuilder(gateway.resolve("/" + bucket))
            .timeout(DEADLINE)
            .header("x-amz-date", date)
            .header("Authorization", "AWS " + accessKey + ":" + signature)
            .PUT(BodyPublishers.noBody())
            .build();
    try {
      HttpResponse<String> response =
          HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
      if (response.statusCode() != OK) {
        throw new IOException(
            "%s made no bucket %s: %s %s"
                .formatted(gateway, bucket, response.statusCode(), response.body()));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while making bucket " + bucket, e);
    }
  }

  private String signature(String text) throws IOException {
    try {
      Mac mac = Mac.getInstance(HMAC);
      mac.init(new SecretKeySpec(secretKey.getBytes(StandardCharsets.UTF_8), HMAC));
      return Base64.getEncoder().encodeToString(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
    } catch (GeneralSecurityException e) {
      throw new IOException("this Java cannot sign by " + HMAC, e);
    }
  }

  @Override
  public String toString() {
    return user + " (" + accessKey + ")";
  }
}
