// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.endpoint;

import io.temptier.tier.lang.Immutable;
import io.temptier.tier.os.Threads;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntPredicate;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The gateways of one file system: chooses one for each request, takes out those that fail, probes
 * them in the background and takes them back.
 *
 * <p>When all are taken out requests go to any of them: only the store itself may say that it is
 * gone, and S3A retries. Thread safe; the lock is held for some comparisons only.
 */
final class GatewayGroup implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(GatewayGroup.class);
  private static final long HURRIES_NANOS = TimeUnit.SECONDS.toNanos(30);

  final EndpointSettings settings;
  final Patience patience;
  final List<Gateway> gateways;

  /** Home gateway, the same for all file systems of a process, random among processes. */
  private static final int HOME = ThreadLocalRandom.current().nextInt(1 << 16);

  /** Turn, begun anywhere, or many short processes would all begin with the same gateway. */
  private final AtomicInteger turn =
      new AtomicInteger(ThreadLocalRandom.current().nextInt(1 << 16));

  private final ScheduledThreadPoolExecutor prober;
  private @Nullable IntPredicate probe;
  private boolean closed;
  private long hungNanos = System.nanoTime() - HURRIES_NANOS;
  private long moment;

  GatewayGroup(EndpointSettings settings) {
    this.settings = settings;
    this.patience = new Patience(settings);
    List<Gateway> all = new ArrayList<>();
    for (int i = 0; i < settings.endpoints().size(); i++) {
      all.add(new Gateway(i, settings.endpoints().get(i)));
    }
    this.gateways = Immutable.copyOf(all);
    this.prober = Threads.scheduler("temptier-s3a-probe", all.size());
  }

  /**
   * Sets how gateways that are taken out are asked from now on.
   *
   * @param answers whether the gateway of that number answers, without any request of the file
   *     system; throws when it does not, and may take as long as the probe's timeout
   */
  synchronized void probeBy(IntPredicate answers) {
    probe = answers;
  }

  /**
   * Chooses the gateway with the fewest requests under way, among equals each in turn, and counts
   * this one there; gateways that were {@code tried} for it come last.
   */
  Lease lease(Set<Gateway> tried) {
    return lease(tried, turn.getAndIncrement(), Gateway::outstanding);
  }

  /**
   * Chooses the gateway by which this process deletes and lists, as long as it is in service.
   *
   * <p>A gateway answers a deletion before the bucket's index has it. What comes to the index by
   * the same gateway comes later; what comes by another may still see the name, as a directory: of
   * listings right after a deletion 9 of 800 did, with Ceph 16.2 ({@code SpreadingIT}).
   */
  Lease leaseHome(Set<Gateway> tried) {
    return lease(tried, HOME, gateways -> 0);
  }

  private synchronized Lease lease(Set<Gateway> tried, int first, ToIntFunction<Gateway> cost) {
    List<Gateway> inTurn = new ArrayList<>(gateways);
    Collections.rotate(inTurn, -first);
    Gateway chosen =
        Collections.min(
            inTurn,
            Comparator.comparing(Gateway::isOut)
                .thenComparing(tried::contains)
                .thenComparingInt(cost));
    chosen.begin();
    return new Lease(this, chosen);
  }

  /** True if a gateway is in service that was not tried. */
  synchronized boolean hasOther(Set<Gateway> tried) {
    return gateways.stream().anyMatch(g -> !g.isOut() && !tried.contains(g));
  }

  /**
   * True if a gateway has hung within the last seconds, so that the next may hang for the same
   * reason. Else two that hang cost two timeouts.
   */
  synchronized boolean hungLately() {
    return System.nanoTime() - hungNanos < HURRIES_NANOS;
  }

  synchronized void ended(Gateway gateway) {
    gateway.end();
  }

  synchronized void answered(Gateway gateway, boolean wasOut) {
    gateway.answered(++moment);
    // An answer from before it was taken out says nothing about now.
    if (wasOut && gateway.isOut()) {
      takeBack(gateway);
    }
  }

  synchronized void failed(Gateway gateway, Outcome outcome, Throwable failure) {
    boolean tooMany = gateway.failed(settings.failures(), outcome == Outcome.THROTTLED, ++moment);
    boolean out =
        outcome == Outcome.UNREACHABLE
            || outcome == Outcome.SILENT
            || (tooMany && (outcome != Outcome.THROTTLED || othersAnswer(gateway)));
    if (outcome == Outcome.SILENT) {
      hungNanos = System.nanoTime();
    }
    if (out && !gateway.isOut() && !closed) {
      gateway.takeOut();
      LOG.warn(
          "S3A gateway {} is taken out until it answers again: {}", gateway, failure.toString());
      probeLater(gateway);
    }
  }

  /** True if another gateway answers; else all the store is throttled, and nothing is gained. */
  private boolean othersAnswer(Gateway gateway) {
    return gateways.stream().anyMatch(g -> !g.isOut() && g.answeredWhileFailing(gateway));
  }

  /** Returns how often in a row each gateway in service asked for fewer requests, at least. */
  synchronized int throttlesInARow() {
    return gateways.stream()
        .filter(g -> !g.isOut())
        .mapToInt(Gateway::throttlesInARow)
        .min()
        .orElse(0);
  }

  private void takeBack(Gateway gateway) {
    gateway.takeBack();
    LOG.info("S3A gateway {} answers again and is taken back", gateway);
  }

  private void probeLater(Gateway gateway) {
    ScheduledFuture<?> unused =
        prober.schedule(
            () -> probe(gateway), settings.probeInterval().toMillis(), TimeUnit.MILLISECONDS);
  }

  private void probe(Gateway gateway) {
    IntPredicate question;
    synchronized (this) {
      question = probe;
    }
    boolean answers = false;
    try {
      answers = question != null && question.test(gateway.index);
    } catch (RuntimeException e) {
      LOG.debug("{} does not answer yet", gateway, e);
    }
    synchronized (this) {
      if (closed || !gateway.isOut()) {
        return;
      }
      if (answers) {
        takeBack(gateway);
      } else {
        probeLater(gateway);
      }
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    gateways.forEach(Gateway::forget);
    prober.shutdownNow();
  }
}
