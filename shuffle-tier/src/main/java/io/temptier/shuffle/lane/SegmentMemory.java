// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.lane;

import com.google.auto.value.AutoValue;
import io.temptier.tier.lang.Immutable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A bound on memory, shared by applications and devices. A request that finds none waits its turn
 * without holding a thread.
 *
 * <p>Bytes for a client that has stopped reading stay here until it reads on or goes away. So what
 * an owner holds is bounded by a multiple of what is left afterwards (dynamic thresholds, Choudhury
 * and Hahne 1998): twice for an application, so that one alone gets two thirds, and thrice for a
 * user, so that one alone gets three quarters, however many applications it has. A newcomer always
 * finds some. Pieces become smaller as memory gets scarce, so hundreds of an application's clients
 * must stop before its others have to wait for them.
 *
 * <p>Bytes for a device that hangs stay here, too. So what is held for one device is bounded by
 * what is left afterwards: one alone gets half, and its application a sixth more for other devices.
 * Once a device is known to hang, what is held for it is no more held against its application and
 * its user: two such devices would take all that an application may have, and its reads from sound
 * ones would wait for them.
 *
 * <p>Safe for use by many threads.
 */
public final class SegmentMemory {
  private static final int APPLICATIONS_MULTIPLE = 2;
  private static final int USERS_MULTIPLE = 3;
  private static final int DEVICES_MULTIPLE = 1;

  /** A piece is at most this fraction of what its owner, or its device, may still have. */
  private static final int PIECES = 64;

  /**
   * Purpose of memory: its user and application account for it. Who waits for one device does not
   * hold up those of the application who wait for others.
   */
  @AutoValue
  public abstract static class DeviceRead {
    abstract String user();

    abstract String application();

    abstract DeviceLane device();

    private Object ofUser() {
      return Immutable.entry("user", user());
    }

    private Object ofApplication() {
      return Immutable.entry("application", application());
    }

    public static DeviceRead of(String user, String application, DeviceLane device) {
      return new AutoValue_SegmentMemory_DeviceRead(user, application, device);
    }
  }

  public final class Waiter {
    private final DeviceRead read;
    private final long want;
    private final long least;
    private final LongConsumer granted;

    private Waiter(DeviceRead read, long want, long least, LongConsumer granted) {
      this.read = read;
      this.want = want;
      this.least = least;
      this.granted = granted;
    }

    /** Waits no more. He may have been granted some already. */
    public void cancel() {
      // Waiters behind may have waited for this one alone.
      change(
          () ->
              waiters.computeIfPresent(
                  read,
                  (key, queue) -> {
                    queue.remove(this);
                    return queue.isEmpty() ? null : queue;
                  }));
    }
  }

  private final long limitBytes;

  /** Bytes that each user, application and device holds, by device. */
  private final Map<Object, Map<DeviceLane, Long>> held = new HashMap<>();

  /** Waiters by purpose; a purpose whose first was served goes last. */
  private final LinkedHashMap<DeviceRead, LinkedHashSet<Waiter>> waiters = new LinkedHashMap<>();

  private long usedBytes;
  private long waits;

  public SegmentMemory(long limitBytes) {
    this.limitBytes = limitBytes;
  }

  /**
   * Asks for memory.
   *
   * @param read what for
   * @param want bytes that would be best
   * @param least bytes that will do, at most {@code want}; more than there is is never granted
   * @param granted told how many bytes were granted, from {@code least} to {@code want}: at once on
   *     this thread, or later on one that releases; must be quick
   * @return who waits now; null when it was granted
   */
  public @Nullable Waiter acquire(DeviceRead read, long want, long least, LongConsumer granted) {
    Waiter asking = new Waiter(read, want, Math.min(least, limitBytes), granted);
    long grant;
    synchronized (this) {
      grant = waiters.containsKey(read) ? 0 : grantable(asking);
      if (grant < asking.least) {
        waiters.computeIfAbsent(read, key -> new LinkedHashSet<>()).add(asking);
        waits++;
        return asking;
      }
      take(read, grant);
    }
    granted.accept(grant);
    return null;
  }

  /** Returns the bytes that may be granted now; less than the least when nothing may. */
  private long grantable(Waiter asking) {
    long free = limitBytes - usedBytes;
    long most = Math.min(mostFor(asking.read), mostFor(asking.read.device()));
    long grant = Math.min(Math.min(asking.want, most), Math.max(asking.least, most / PIECES));
    boolean nothing = soundBytes(asking.read.ofUser()) == 0;
    // Who has nothing goes on as long as there is any.
    return grant < asking.least && nothing && free >= asking.least ? asking.least : grant;
  }

  private long mostFor(DeviceRead read) {
    long free = limitBytes - usedBytes;
    return Math.min(
        share(APPLICATIONS_MULTIPLE, free, soundBytes(read.ofApplication())),
        share(USERS_MULTIPLE, free, soundBytes(read.ofUser())));
  }

  private long mostFor(DeviceLane device) {
    return share(DEVICES_MULTIPLE, limitBytes - usedBytes, heldBytes(device, device));
  }

  /** The most that an owner may get so that it holds at most a multiple of what is free then. */
  private static long share(int multiple, long free, long held) {
    return Math.max(0, (multiple * free - held) / (multiple + 1));
  }

  /** Returns the bytes that an owner holds for devices that do not hang. */
  private long soundBytes(Object owner) {
    long bytes = 0;
    for (Map.Entry<DeviceLane, Long> bytesByDevice :
        held.getOrDefault(owner, Immutable.mapOf()).entrySet()) {
      bytes += bytesByDevice.getKey().hangs() ? 0 : bytesByDevice.getValue();
    }
    return bytes;
  }

  private long heldBytes(Object owner, DeviceLane device) {
    return held.getOrDefault(owner, Immutable.mapOf()).getOrDefault(device, 0L);
  }

  private void take(DeviceRead read, long bytes) {
    usedBytes += bytes;
    for (Object owner : Immutable.listOf(read.ofUser(), read.ofApplication(), read.device())) {
      Map<DeviceLane, Long> devices = held.computeIfAbsent(owner, key -> new HashMap<>());
      if (devices.merge(read.device(), bytes, Long::sum) == 0) {
        devices.remove(read.device());
      }
      if (devices.isEmpty()) {
        held.remove(owner);
      }
    }
  }

  /** Gives bytes back; throws when that is more than was granted for {@code read}. */
  public void release(DeviceRead read, long bytes) {
    change(
        () -> {
          long heldNow = heldBytes(read.ofApplication(), read.device());
          if (bytes < 0 || bytes > heldNow) {
            throw new IllegalArgumentException(
                bytes + " bytes given back for " + read + ", which holds " + heldNow);
          }
          take(read, -bytes);
        });
  }

  /** Grants what may be granted now: a device has perhaps begun to hang. Called every second. */
  public void grantAgain() {
    change(() -> {});
  }

  /**
   * Changes what is held or waited for, and tells those whose turn it is then, without the lock.
   */
  private void change(Runnable change) {
    List<Runnable> grants;
    synchronized (this) {
      change.run();
      grants = grantWaiting();
    }
    grants.forEach(Runnable::run);
  }

  private List<Runnable> grantWaiting() {
    List<Runnable> grants = new ArrayList<>();
    boolean more = !waiters.isEmpty();
    while (more) {
      more = false;
      for (DeviceRead turn : Immutable.listFrom(waiters.keySet())) {
        LinkedHashSet<Waiter> queue = Objects.requireNonNull(waiters.get(turn));
        Waiter first = queue.iterator().next();
        long grant = grantable(first);
        if (grant >= first.least) {
          take(first.read, grant);
          queue.remove(first);
          grants.add(() -> first.granted.accept(grant));
          waiters.remove(turn);
          if (!queue.isEmpty()) {
            waiters.put(turn, queue);
          }
          more = true;
        }
      }
    }
    return grants;
  }

  /**
   * True if less than half is used of what its application, or its device, may have alone, and
   * nobody waits for the device.
   */
  public synchronized boolean hasPlenty(DeviceRead read) {
    // Where many wait, there is rarely plenty.
    return mostFor(read) >= share(APPLICATIONS_MULTIPLE, limitBytes, 0) / 2
        && mostFor(read.device()) >= share(DEVICES_MULTIPLE, limitBytes, 0) / 2
        && waiters.keySet().stream().noneMatch(turn -> turn.device().equals(read.device()));
  }

  public synchronized boolean isAwaited() {
    return !waiters.isEmpty();
  }

  public synchronized long usedBytes() {
    return usedBytes;
  }

  public synchronized long waits() {
    return waits;
  }
}
