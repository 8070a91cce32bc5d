// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion.asuser;

import io.temptier.tier.LocalDir;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.os.CapacityProbe;
import io.temptier.tier.room.capacity.FileSystemCapacity;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The helpers of a node, one for each application whose outputs are being moved. They are started,
 * ended and cleaned up after on threads of their own: nobody waits for them here. Safe for use by
 * many threads.
 */
public final class HelperSessions implements AutoCloseable {
  /** Helpers at a time: each is a JVM. */
  static final int MOST = 4;

  /** An application's next helper does not start earlier than that after its last one. */
  static final Duration START_PAUSE = Duration.ofSeconds(5);

  private static final Logger LOG = LoggerFactory.getLogger(HelperSessions.class);

  private static final Duration READY_PATIENCE = Duration.ofSeconds(60);

  /** Hears of helpers. Must not block. */
  public interface Listener {
    /** One is being started. */
    void started();

    /** One failed, or could not be started. */
    void failed(ApplicationUser who, String why);

    /** Leftovers of an output were removed. */
    void cleaned(ApplicationUser who, String attempt);
  }

  private enum State {
    STARTING,
    IDLE,
    IN_USE,
    OVER
  }

  /** One application's; guarded by the sessions. */
  private static final class Slot {
    private State state = State.STARTING;
    private @Nullable HelperSession session;
    private long lastUsedNanos;
  }

  private final UserProcesses processes;
  private final Launch java;
  private final Set<Scratch> used = ConcurrentHashMap.newKeySet();

  /** One for all helpers, since it remembers what is dear to ask. */
  private final CapacityProbe probe = new FileSystemCapacity();

  private final EndingHelpers ending;
  private final Set<String> runningAtStart;
  private final long bytesPerSecond;
  private final List<LocalDir> dirs;
  private final Listener listener;
  private final LongSupplier clockNanos;
  private final SetAside setAside;
  private final Map<String, Slot> slots = new HashMap<>();
  private final Map<ApplicationUser, Long> startedNanos = new HashMap<>();
  private boolean closed;
  private volatile boolean cannotStart;

  /**
   * No helpers yet; what earlier NodeManagers left is cleaned up.
   *
   * @param dirs of the node, fastest first; the first with room has the folders of helpers
   * @param bytesPerSecond the rate of demotion
   * @param running the applications that run
   * @throws IOException when the folders cannot be made
   */
  public HelperSessions(
      UserProcesses processes,
      Launch java,
      List<LocalDir> dirs,
      long bytesPerSecond,
      Set<String> running,
      Listener listener,
      LongSupplier clockNanos)
      throws IOException {
    this.processes = processes;
    this.java = java;
    this.dirs = dirs;
    this.bytesPerSecond = bytesPerSecond;
    this.listener = listener;
    this.clockNanos = clockNanos;
    this.setAside = new SetAside(clockNanos);
    this.ending = new EndingHelpers(processes, used);
    this.runningAtStart = Immutable.copyOf(running);
    scratch();
  }

  private Scratch scratch() throws IOException {
    Scratch scratch = Scratch.makeIn(dirs, probe);
    if (used.add(scratch)) {
      scratch.deleteOwn();
      scratch.applications().forEach(this::left);
    }
    return scratch;
  }

  /** An earlier NodeManager's. */
  private void left(ApplicationUser who) {
    if (!runningAtStart.contains(who.application()) && over(who)) {
      ending.applicationOver(who, null);
    }
  }

  /** Whether a user is set aside now, after trouble with a helper. */
  public boolean setAside(ApplicationUser who) {
    return setAside.waits(who.user());
  }

  /** How many users are set aside now. */
  public int setAside() {
    return setAside.count();
  }

  /**
   * The application's helper, for the caller alone until {@link #release}. Where there is none that
   * is ready, one is started if that may be, for whoever asks later.
   */
  public synchronized Optional<HelperSession> acquire(ApplicationUser who) {
    Slot slot = slots.get(who.application());
    HelperSession session = slot == null ? null : slot.session;
    if (slot != null && session != null && slot.state == State.IDLE) {
      if (session.alive()
          && clockNanos.getAsLong() - slot.lastUsedNanos < HelperSession.FRESH.toNanos()) {
        slot.state = State.IN_USE;
        return Optional.of(session);
      }
      retire(who.application(), slot);
    }
    request(who);
    return Optional.empty();
  }

  /**
   * Has the application have a helper, which begins by removing leftovers of earlier ones.
   *
   * @return whether it has one, or will
   */
  public synchronized boolean request(ApplicationUser who) {
    if (slots.containsKey(who.application())) {
      return true;
    }
    if (!mayStart(who)) {
      return false;
    }
    Slot starting = new Slot();
    slots.put(who.application(), starting);
    startedNanos.put(who, clockNanos.getAsLong());
    ending.execute(() -> start(who, starting));
    return true;
  }

  private boolean mayStart(ApplicationUser who) {
    Long last = startedNanos.get(who);
    if (closed
        || setAside.waits(who.user())
        || (last != null && clockNanos.getAsLong() - last < START_PAUSE.toNanos())) {
      return false;
    }
    for (Map.Entry<String, Slot> other : Immutable.listFrom(slots.entrySet())) {
      if (slots.size() >= MOST && other.getValue().state == State.IDLE) {
        retire(other.getKey(), other.getValue());
      }
    }
    return slots.size() < MOST;
  }

  private void start(ApplicationUser who, Slot slot) {
    HelperSession session = null;
    try {
      listener.started();
      Orders.Task task = Orders.Task.of(who.user(), who.application(), bytesPerSecond, dirs);
      session =
          HelperSession.start(
              processes,
              scratch(),
              who,
              task,
              java,
              READY_PATIENCE,
              attempt -> listener.cleaned(who, attempt));
      cannotStart = false;
    } catch (HelperException e) {
      LOG.debug("No helper for {}", who, e);
      failed(who, String.valueOf(e.getMessage()));
    } catch (IOException | RuntimeException e) {
      cannotStart(who, e);
    }
    synchronized (this) {
      if (session == null) {
        slots.remove(who.application(), slot);
        return;
      }
      slot.session = session;
      if (slot.state == State.STARTING && !closed) {
        slot.state = State.IDLE;
        slot.lastUsedNanos = clockNanos.getAsLong();
        return;
      }
    }
    // The application is over already, or the NodeManager is.
    EndingHelpers.endHere(session, false);
  }

  /** The user did not bring that about. It is tried again after {@link #START_PAUSE}. */
  private void cannotStart(ApplicationUser who, Exception e) {
    if (over(who)) {
      return;
    }
    listener.failed(who, e.toString());
    if (!cannotStart) {
      cannotStart = true;
      LOG.warn(
          "No helper can be started for {}, so that map outputs stay where they are; tried again,"
              + " and not logged again until one can. See that the .temptier of a local dir with"
              + " room can be written, and that the NodeManager can start processes",
          who,
          e);
    }
  }

  private void failed(ApplicationUser who, String why) {
    if (!over(who)) {
      listener.failed(who, why);
      setAside.failed(who, why);
    }
  }

  private synchronized boolean over(ApplicationUser who) {
    return closed || !startedNanos.containsKey(who);
  }

  /** Ends a helper that nobody uses. */
  private void retire(String application, Slot slot) {
    slots.remove(application, slot);
    slot.state = State.OVER;
    HelperSession session = slot.session;
    if (session != null) {
      ending.end(session, false);
    }
  }

  /**
   * Gives a helper back. One that is still at an order, which nobody waits for any more, is ended.
   *
   * @param trouble what is wrong with it, whose user is then set aside; null when nothing is
   */
  public void release(HelperSession session, @Nullable String trouble) {
    ApplicationUser who = session.who();
    synchronized (this) {
      Slot slot = slots.get(who.application());
      if (slot == null || slot.session != session || slot.state != State.IN_USE) {
        // The application ended meanwhile.
        return;
      }
      if (trouble == null && session.done()) {
        slot.state = State.IDLE;
        slot.lastUsedNanos = clockNanos.getAsLong();
        setAside.worked(who.user());
        return;
      }
      slots.remove(who.application(), slot);
    }
    if (trouble != null) {
      failed(who, trouble);
    }
    ending.end(session, true);
  }

  /** An application is over: its helper is told so, and its folders go when that is gone. */
  public void applicationEnded(String application) {
    ApplicationUser who;
    HelperSession session = null;
    synchronized (this) {
      who =
          startedNanos.keySet().stream()
              .filter(known -> known.application().equals(application))
              .findFirst()
              .orElse(null);
      if (who == null) {
        return;
      }
      startedNanos.remove(who);
      Slot slot = slots.remove(application);
      if (slot != null) {
        slot.state = State.OVER;
        session = slot.session;
      }
    }
    ending.applicationOver(who, session);
  }

  /** Has all applications end that do not run. */
  public void retain(Set<String> running) {
    List<String> over;
    synchronized (this) {
      over =
          startedNanos.keySet().stream()
              .map(ApplicationUser::application)
              .filter(application -> !running.contains(application))
              .collect(Immutable.toList());
    }
    over.forEach(this::applicationEnded);
  }

  /** Lets go of all helpers, which then take back what they are at, and end by themselves. */
  @Override
  public void close() {
    List<HelperSession> last = new ArrayList<>();
    synchronized (this) {
      closed = true;
      slots.values().stream()
          .filter(slot -> slot.session != null)
          .forEach(slot -> last.add(slot.session));
      slots.clear();
    }
    last.forEach(EndingHelpers::letGo);
    ending.close();
  }
}
