// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.output;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.thirdparty.com.google.common.cache.Cache;
import org.apache.hadoop.thirdparty.com.google.common.cache.CacheBuilder;
import org.apache.hadoop.thirdparty.com.google.common.cache.RemovalNotification;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Cache of map outputs, with place and index, bounded by bytes. What was moved or ended is dropped.
 * Each output is looked for once however many ask at a time.
 *
 * <p>Of several users none keeps more than an equal share: what is beyond it is looked for each
 * time, and the others' outputs stay.
 *
 * <p>Safe for use by many threads.
 */
public final class MapOutputCache {
  private static final Logger LOG = LoggerFactory.getLogger(MapOutputCache.class);

  private final OutputLocator locator;
  private final Cache<MapOutputId, MapOutput> known;
  private final long maxBytes;
  private final Map<String, Long> bytesByUser = new ConcurrentHashMap<>();
  private final Map<MapOutputId, CompletableFuture<MapOutput>> searches = new ConcurrentHashMap<>();

  /** A cache of about {@code maxBytes}; what nobody asks for is kept for {@code expiry}. */
  public MapOutputCache(OutputLocator locator, long maxBytes, Duration expiry) {
    this.locator = locator;
    this.maxBytes = maxBytes;
    this.known =
        CacheBuilder.newBuilder()
            .maximumWeight(maxBytes)
            .weigher((MapOutputId id, MapOutput output) -> output.bytes())
            .removalListener(
                (RemovalNotification<MapOutputId, MapOutput> removed) ->
                    add(
                        Objects.requireNonNull(removed.getKey()).user(),
                        -Objects.requireNonNull(removed.getValue()).bytes()))
            .expireAfterAccess(expiry.toNanos(), TimeUnit.NANOSECONDS)
            // The bound is divided among the writers at a time, and only searches write.
            .concurrencyLevel(1)
            .build();
  }

  /**
   * Finds an output: at once when it is known, else on a lane. Completes exceptionally, with an
   * {@link IOException}, when it is not there.
   */
  CompletableFuture<MapOutput> find(MapOutputId id) {
    MapOutput output = known.getIfPresent(id);
    if (output != null) {
      return CompletableFuture.completedFuture(output);
    }
    CompletableFuture<MapOutput> search = new CompletableFuture<>();
    CompletableFuture<MapOutput> running = searches.putIfAbsent(id, search);
    if (running != null) {
      return running;
    }
    try {
      CompletableFuture<?> unused =
          locator.find(id).whenComplete((found, error) -> found(id, search, found, error));
    } catch (RuntimeException | Error e) {
      // It never began, and would be waited for by whoever asks later.
      found(id, search, null, new IOException(e));
    }
    return search;
  }

  private void found(
      MapOutputId id,
      CompletableFuture<MapOutput> search,
      @Nullable MapOutput found,
      @Nullable Throwable error) {
    try {
      // A search that was forgotten meanwhile may have seen the old place: not kept. In one step
      // with forgetting, or what is kept were older than that.
      searches.computeIfPresent(
          id,
          (key, running) -> {
            if (running != search) {
              return running;
            }
            if (found != null) {
              keep(id, found);
            }
            return null;
          });
    } catch (RuntimeException e) {
      // Who asked waits for the place, not for its being kept.
      searches.remove(id, search);
      LOG.error("Where {} is cannot be kept; please report this", id, e);
    } finally {
      if (found != null) {
        search.complete(found);
      } else {
        search.completeExceptionally(error == null ? new IOException(id + " is gone") : error);
      }
    }
  }

  private void keep(MapOutputId id, MapOutput found) {
    // With the one who asks, who may come to be one of them at this moment.
    long users = 1 + bytesByUser.keySet().stream().filter(user -> !user.equals(id.user())).count();
    long bytes = bytesByUser.getOrDefault(id.user(), 0L) + found.bytes();
    // One alone has what he asked for least recently put out.
    if (users == 1 || bytes <= maxBytes / users) {
      add(id.user(), found.bytes());
      known.put(id, found);
    }
  }

  private void add(String user, long bytes) {
    bytesByUser.merge(
        user, bytes, (before, more) -> before + more == 0 ? null : Long.valueOf(before + more));
  }

  /** Forgets an output whose place or content changed. */
  public void forget(MapOutputId id) {
    searches.remove(id);
    known.invalidate(id);
  }

  public void forgetApplication(String application) {
    searches.keySet().removeIf(id -> id.application().equals(application));
    known.asMap().keySet().removeIf(id -> id.application().equals(application));
  }

  long size() {
    return known.size();
  }
}
