// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.endpoint;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.core.sync.ResponseTransformer;
import software.amazon.awssdk.http.ContentStreamProvider;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.HeadObjectRequest;
import software.amazon.awssdk.services.s3.model.S3Request;

/** The arguments of an operation, made such that its {@link Watch} learns whether it moves. */
final class WatchedRequest {
  private WatchedRequest() {}

  /** How long a gateway may be silent: a read needs no commit on slow disks. */
  static Duration patience(S3Request request, EndpointSettings settings) {
    return request instanceof GetObjectRequest || request instanceof HeadObjectRequest
        ? settings.readTimeout()
        : settings.writeTimeout();
  }

  /**
   * Such arguments, to be given once to a client whose timeouts a {@link StallTimer} runs. Those
   * with a transformer are left alone: it reads within the operation, and S3A uses none.
   *
   * @param arguments of an operation, the request first
   */
  static Object[] of(Object[] arguments, Watch watch) {
    Object[] watched = arguments.clone();
    watched[0] = withTimeout((S3Request) arguments[0], watch.patience());
    for (int i = 1; i < arguments.length; i++) {
      if (arguments[i] instanceof ResponseTransformer) {
        return arguments;
      }
      if (arguments[i] instanceof RequestBody body) {
        watched[i] = watched(body, watch);
      }
    }
    return watched;
  }

  private static Object withTimeout(S3Request request, Duration patience) {
    AwsRequestOverrideConfiguration.Builder own =
        request
            .overrideConfiguration()
            .map(AwsRequestOverrideConfiguration::toBuilder)
            .orElseGet(AwsRequestOverrideConfiguration::builder);
    S3Request.Builder builder = request.toBuilder();
    builder.overrideConfiguration(own.apiCallAttemptTimeout(patience).build());
    return builder.build();
  }

  private static RequestBody watched(RequestBody body, Watch watch) {
    ContentStreamProvider provider =
        () -> new Upload(body.contentStreamProvider().newStream(), watch);
    return body.optionalContentLength().isPresent()
        ? RequestBody.fromContentProvider(
            provider, body.optionalContentLength().get(), body.contentType())
        : RequestBody.fromContentProvider(provider, body.contentType());
  }

  /** What is uploaded: when the client comes for more, the gateway has taken what was before. */
  private static final class Upload extends FilterInputStream {
    private final Watch watch;

    Upload(InputStream in, Watch watch) {
      super(in);
      this.watch = watch;
    }

    @Override
    public int read() throws IOException {
      watch.resting();
      try {
        return in.read();
      } finally {
        watch.waiting();
      }
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
      watch.resting();
      try {
        return in.read(buffer, offset, length);
      } finally {
        watch.waiting();
      }
    }
  }
}
