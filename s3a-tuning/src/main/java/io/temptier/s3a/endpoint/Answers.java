// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.endpoint;

import java.io.IOException;
import java.math.BigInteger;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CompleteMultipartUploadRequest;
import software.amazon.awssdk.services.s3.model.CompleteMultipartUploadResponse;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.S3Response;

/** Tests that an answer is the store's own, and whole. */
final class Answers {
  private static final Pattern RANGE = Pattern.compile("bytes (\\d{1,18})-(\\d{1,18})/.*");
  private static final int MD5_DIGITS = 32;
  private static final int NO_CONTENT = 204;

  /** A page in place of the store's answer, of a load balancer or a firewall. */
  static boolean isPage(@Nullable SdkHttpResponse http) {
    return http != null
        && http.statusCode() != NO_CONTENT
        && !http.firstMatchingHeader("ETag").isPresent()
        && http.firstMatchingHeader("Content-Type").orElse("").startsWith("text/html");
  }

  private Answers() {}

  /** Throws when the answer is wrong; its stream is aborted then. */
  static void check(Gateway gateway, @Nullable Object answer) {
    SdkClientException wrong = wrong(gateway, answer);
    if (wrong != null) {
      throw wrong;
    }
  }

  /** Returns what is wrong about an answer to a request that went well; null where nothing is. */
  static @Nullable SdkClientException wrong(Gateway gateway, @Nullable Object answer) {
    ResponseInputStream<?> stream =
        answer instanceof ResponseInputStream ? (ResponseInputStream<?>) answer : null;
    Object response = stream == null ? answer : stream.response();
    String what = "";
    if (response instanceof S3Response && isPage(((S3Response) response).sdkHttpResponse())) {
      what = "a page of HTML in place of the store's answer";
    } else if (response instanceof GetObjectResponse) {
      Long length = ((GetObjectResponse) response).contentLength();
      long range = length(response);
      if (length != null && length < range) {
        what = length + " bytes for a range of " + range;
      }
    }
    if (what.isEmpty()) {
      return null;
    }
    if (stream != null) {
      stream.abort();
    }
    String text = gateway + " sent " + what;
    return SdkClientException.create(text, new IOException(text));
  }

  /** The bytes of an answer to a GET, by the range it says, or its length; 0 when unknown. */
  static long length(Object response) {
    if (!(response instanceof GetObjectResponse)) {
      return 0;
    }
    GetObjectResponse got = (GetObjectResponse) response;
    Matcher range = RANGE.matcher(String.valueOf(got.contentRange()));
    if (range.matches()) {
      long first = Long.parseLong(String.valueOf(range.group(1)));
      return Long.parseLong(String.valueOf(range.group(2))) - first + 1;
    }
    return got.contentLength() == null ? 0 : got.contentLength();
  }

  /**
   * The answer to the end of an upload that failed although its object is whole in the bucket: a
   * gateway may have done it, and could not say so. Else it may be sent again: while a gateway is
   * at work on it, another refuses; when the upload is gone, this is asked once more.
   */
  static Optional<CompleteMultipartUploadResponse> whole(
      S3Client client, Object request, Exception failure) {
    if (!(request instanceof CompleteMultipartUploadRequest) || !mayBeDone(failure)) {
      return Optional.empty();
    }
    CompleteMultipartUploadRequest end = (CompleteMultipartUploadRequest) request;
    String expected = etag(end.multipartUpload().parts());
    if (expected.isEmpty()) {
      return Optional.empty();
    }
    try {
      HeadObjectResponse head =
          client.headObject(object -> object.bucket(end.bucket()).key(end.key()));
      if (!quoteless(head.eTag()).equals(expected)) {
        return Optional.empty();
      }
      return Optional.of(
          CompleteMultipartUploadResponse.builder()
              .bucket(end.bucket())
              .key(end.key())
              .eTag(head.eTag())
              .versionId(head.versionId())
              .build());
    } catch (SdkException e) {
      failure.addSuppressed(e);
      return Optional.empty();
    }
  }

  /** True if a gateway may have done it: it had the request, or says that the upload is gone. */
  private static boolean mayBeDone(Exception failure) {
    Outcome outcome = Outcome.of(failure);
    return outcome == Outcome.SILENT
        || outcome == Outcome.TROUBLE
        || (failure instanceof AwsServiceException
            && ((AwsServiceException) failure).statusCode() == 404);
  }

  /** The store's ETag of an object of parts: the MD5 of theirs. Empty when theirs are none. */
  static String etag(List<CompletedPart> parts) {
    String sums = parts.stream().map(part -> quoteless(part.eTag())).collect(Collectors.joining());
    if (sums.isEmpty() || !sums.matches("\\p{XDigit}{" + MD5_DIGITS * parts.size() + "}")) {
      return "";
    }
    try {
      // Behind a one, so that no zero is lost.
      byte[] bytes = new BigInteger("1" + sums, 16).toByteArray();
      MessageDigest md5 = MessageDigest.getInstance("MD5");
      md5.update(bytes, 1, bytes.length - 1);
      return String.format("%032x-%d", new BigInteger(1, md5.digest()), parts.size());
    } catch (NoSuchAlgorithmException e) {
      return "";
    }
  }

  private static String quoteless(@Nullable String etag) {
    return String.valueOf(etag).replace("\"", "");
  }
}
