// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.endpoint;

import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.function.BiConsumer;
import software.amazon.awssdk.core.exception.SdkServiceException;
import software.amazon.awssdk.services.s3.model.GetBucketLocationRequest;

/**
 * Asks a gateway for the location of the bucket, through the very client that its requests go by:
 * same network, proxy, TLS and keys. Any answer will do, a refusal too, but one of those that take
 * a gateway out. S3A's auditors let this request pass outside of any operation.
 */
final class BucketProbe implements GatewayGroup.Probe {
  private final GetBucketLocationRequest question;
  private final BiConsumer<Integer, GetBucketLocationRequest> ask;

  /**
   * A probe.
   *
   * @param ask asks the gateway of that number, and throws what comes of it
   */
  BucketProbe(String bucket, Duration timeout, BiConsumer<Integer, GetBucketLocationRequest> ask) {
    this.question =
        GetBucketLocationRequest.builder()
            .bucket(bucket)
            .overrideConfiguration(o -> o.apiCallTimeout(timeout).apiCallAttemptTimeout(timeout))
            .build();
    this.ask = ask;
  }

  @Override
  public boolean answers(int index) {
    try {
      ask.accept(index, question);
      return true;
    } catch (CompletionException e) {
      if (e.getCause() instanceof SdkServiceException answer) {
        return isWell(answer);
      }
      throw e;
    } catch (SdkServiceException e) {
      return isWell(e);
    }
  }

  private static boolean isWell(SdkServiceException answer) {
    return !Outcome.of(answer).blames();
  }
}
