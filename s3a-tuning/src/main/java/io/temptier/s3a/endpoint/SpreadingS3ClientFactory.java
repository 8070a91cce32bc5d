// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.endpoint;

import io.temptier.tier.lang.Immutable;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.IntPredicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.s3a.DefaultS3ClientFactory;
import org.apache.hadoop.fs.s3a.impl.AWSClientConfig;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.client.config.ClientOverrideConfiguration;
import software.amazon.awssdk.core.exception.SdkServiceException;
import software.amazon.awssdk.core.retry.RetryPolicy;
import software.amazon.awssdk.core.retry.conditions.AndRetryCondition;
import software.amazon.awssdk.core.retry.conditions.RetryCondition;
import software.amazon.awssdk.services.s3.S3AsyncClient;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.GetBucketLocationRequest;
import software.amazon.awssdk.services.s3.model.GetBucketLocationResponse;
import software.amazon.awssdk.utils.SdkAutoCloseable;

/**
 * Makes S3A's clients, as {@code fs.s3a.s3.client.factory.impl}: with several gateways in {@code
 * temptier.s3a.endpoints} one client of Hadoop's own for each, and one before them that chooses.
 * With none, or one, Hadoop's own client is all there is.
 *
 * <p>The SDK signs the host of a request and chooses it once for all attempts. So its own retries,
 * which would go to the same gateway, are off, and requests are sent again from here.
 */
public class SpreadingS3ClientFactory extends DefaultS3ClientFactory {
  private static final Logger SPREAD_LOG = LoggerFactory.getLogger(SpreadingS3ClientFactory.class);

  private @Nullable EndpointSettings settings;
  private @Nullable GatewayGroup group;
  private Watch.@Nullable StallTimer timer;

  /** Number of clients that share the group. */
  private int users;

  /** Retries of the clients being made. */
  private Retries making = Retries.STOCK;

  /**
   * {@inheritDoc}
   *
   * @throws IOException also when a property of ours cannot be used; the message says which
   */
  @Override
  public synchronized S3Client createS3Client(URI uri, S3ClientCreationParameters parameters)
      throws IOException {
    EndpointSettings endpoints = settings();
    making = endpoints.spreads() ? Retries.NONE : Retries.STOCK;
    List<S3Client> clients =
        forEach(endpoints, parameters, given -> super.createS3Client(uri, given));
    if (!endpoints.spreads()) {
      return clients.get(0);
    }
    GatewayGroup shared = join(endpoints);
    shared.probeBy(
        probe(
            shared,
            uri.getHost(),
            (index, question) -> clients.get(index).getBucketLocation(question)));
    return new SpreadingSyncClient(
            clients, shared, new Attempts.Resending(getConf()), timer(), this::leave)
        .client();
  }

  @Override
  public synchronized S3AsyncClient createS3AsyncClient(
      URI uri, S3ClientCreationParameters parameters) throws IOException {
    EndpointSettings endpoints = settings();
    // A copy or an upload that the SDK makes of parts is one request to us: its parts are sent
    // again where they were, and all of it elsewhere when that was in vain or nobody is there.
    boolean partsWithin =
        parameters.isMultipartCopy()
            && !isSet(() -> parameters.isClientSideEncryptionEnabled())
            && !isSet(() -> parameters.isAnalyticsAcceleratorEnabled());
    Retries spread = partsWithin ? Retries.WHERE_ANYBODY_IS : Retries.NONE;
    making = endpoints.spreads() ? spread : Retries.STOCK;
    List<S3AsyncClient> clients =
        forEach(endpoints, parameters, given -> super.createS3AsyncClient(uri, given));
    if (!endpoints.spreads()) {
      return clients.get(0);
    }
    GatewayGroup shared = join(endpoints);
    if (users == 1) {
      shared.probeBy(
          probe(
              shared,
              uri.getHost(),
              (index, question) -> clients.get(index).getBucketLocation(question).join()));
    }
    Attempts.Resending resending = new Attempts.Resending(getConf());
    return new SpreadingAsyncClient(
            clients,
            shared,
            partsWithin ? resending.times(endpoints.endpoints().size() - 1) : resending,
            this::leave)
        .client();
  }

  @Override
  @SuppressWarnings("deprecation") // What the classes above set, too.
  protected ClientOverrideConfiguration.Builder createClientOverrideConfiguration(
      S3ClientCreationParameters parameters, Configuration conf) throws IOException {
    ClientOverrideConfiguration.Builder builder =
        super.createClientOverrideConfiguration(parameters, conf);
    if (making == Retries.NONE) {
      return builder.retryPolicy(RetryPolicy.none()).scheduledExecutorService(timer());
    }
    return making == Retries.STOCK
        ? builder
        : builder.retryPolicy(
            AWSClientConfig.createRetryPolicyBuilder(conf)
                .retryCondition(
                    AndRetryCondition.create(
                        RetryCondition.defaultRetryCondition(),
                        tried -> isAnybodyThere(Outcome.of(tried.exception()))))
                .build());
  }

  /**
   * Asks a gateway for the location of the bucket, through the very client that its requests go by:
   * same network, proxy, TLS and keys. Any answer will do, a refusal too, but one of those that
   * take a gateway out. S3A's auditors let this request pass outside of any operation.
   *
   * @param ask asks the gateway of that number, and throws what comes of it
   */
  private static IntPredicate probe(
      GatewayGroup group,
      String bucket,
      BiFunction<Integer, GetBucketLocationRequest, GetBucketLocationResponse> ask) {
    Duration timeout = group.settings.probeTimeout();
    GetBucketLocationRequest question =
        GetBucketLocationRequest.builder()
            .bucket(bucket)
            .overrideConfiguration(o -> o.apiCallTimeout(timeout).apiCallAttemptTimeout(timeout))
            .build();
    return index -> {
      try {
        Answers.check(group.gateways.get(index), ask.apply(index, question));
        return true;
      } catch (SdkServiceException | CompletionException e) {
        Throwable cause = e instanceof CompletionException ? e.getCause() : e;
        if (cause instanceof SdkServiceException) {
          return !Outcome.of((SdkServiceException) cause).blames();
        }
        throw e;
      }
    };
  }

  /** Hadoop 3.4.1 has neither. */
  private static boolean isSet(BooleanSupplier later) {
    try {
      return later.getAsBoolean();
    } catch (NoSuchMethodError e) {
      return false;
    }
  }

  private static boolean isAnybodyThere(Outcome outcome) {
    return outcome != Outcome.UNREACHABLE && outcome != Outcome.SILENT;
  }

  private synchronized Watch.StallTimer timer() {
    Watch.StallTimer current = timer;
    if (current == null) {
      current = new Watch.StallTimer();
      timer = current;
    }
    return current;
  }

  /** Retries by the SDK, which go to the same gateway. */
  private enum Retries {
    /** Retries as Hadoop sets them. */
    STOCK,
    /** They are done from here. */
    NONE,
    /** Retries as Hadoop sets them, unless nobody is there or says anything. */
    WHERE_ANYBODY_IS
  }

  private interface Maker<C> {
    C make(S3ClientCreationParameters parameters) throws IOException;
  }

  /** Makes a client for each endpoint, or Hadoop's own where none is given. */
  private static <C extends SdkAutoCloseable> List<C> forEach(
      EndpointSettings settings, S3ClientCreationParameters parameters, Maker<C> maker)
      throws IOException {
    if (settings.endpoints().isEmpty()) {
      return Immutable.listOf(maker.make(parameters));
    }
    List<C> clients = new ArrayList<>();
    String endpointBefore = parameters.getEndpoint();
    try {
      for (URI endpoint : settings.endpoints()) {
        // The parameters cannot be copied, and are S3A's: they are changed for the moment.
        clients.add(maker.make(parameters.withEndpoint(endpoint.toString())));
      }
      return Immutable.copyOf(clients);
    } catch (IOException | RuntimeException | Error e) {
      SpreadingClient.closeAll(clients);
      throw e;
    } finally {
      parameters.withEndpoint(endpointBefore);
    }
  }

  private EndpointSettings settings() throws IOException {
    if (settings == null) {
      try {
        settings = EndpointSettings.of(getConf());
      } catch (IllegalArgumentException e) {
        throw new IOException(e.getMessage(), e);
      }
      EndpointSettings.unknownKeys(getConf())
          .forEach((key, remedy) -> SPREAD_LOG.warn("Nothing reads {}. {}", key, remedy));
    }
    return settings;
  }

  private GatewayGroup join(EndpointSettings settings) {
    if (group == null) {
      group = new GatewayGroup(settings);
      SPREAD_LOG.info("S3A requests go to {}", settings.endpoints());
    }
    users++;
    return group;
  }

  private synchronized void leave() {
    users--;
    if (users == 0 && group != null) {
      group.close();
      group = null;
      if (timer != null) {
        timer.shutdownNow();
        timer = null;
      }
    }
  }
}
