// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion.asuser;

import io.temptier.shuffle.demotion.asuser.HelperSession.HelperException;
import io.temptier.shuffle.demotion.move.MoveContext;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
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
  private static final int MOST = 4;

  /** An application's next helper does not start earlier than that after its last one. */
  private static final Duration START_PAUSE = Duration.ofSeconds(5);

  private static final Duration READY_PATIENCE = Duration.ofSeconds(60);

  private static final Logger LOG = LoggerFactory.getLogger(HelperSessions.class);

  /** Hears of helpers. Must not block. */
  public interface Listener {
    void started();

    /** One failed, or could not be started. */
    void failed(String why);

    /** One removed files that an earlier one had left, or so it says. */
    void cleaned(int files);
  }

  private enum State {
    NONE,
    STARTING,
    IDLE,
    IN_USE
  }

  /** An application that has or had a helper, until it is over; guarded by the sessions. */
  private static final class Application {
    private final ApplicationUser who;
    private State state = State.NONE;
    private @Nullable HelperSession session;
    private long startedNanos;
    private long lastUsedNanos;

    Application(ApplicationUser who) {
      this.who = who;
    }

    /** Has no helper any more; that which it had, if that was ready. */
    Optional<HelperSession> take() {
      HelperSession had = session;
      session = null;
      state = State.NONE;
      return Optional.ofNullable(had);
    }
  }

  private final Supplier<Optional<UserProcesses>> processes;
  private final Launch java;
  private final MoveContext context;
  private final long bytesPerSecond;
  private final HelperFolders folders;
  private final Executor threads;
  private final Listener listener;
  private final LongSupplier clockNanos;
  private final SetAside setAside;
  private final Map<String, Application> applications = new HashMap<>();
  private volatile boolean closed;
  private volatile boolean cannotStart;

  /**
   * No helpers yet. What earlier NodeManagers left of their folders is deleted when the first one
   * is started.
   *
   * @param processes run as users; empty where that is not possible
   * @param context tells the dirs: the first with room has the folders of helpers
   * @param bytesPerSecond the rate of demotion
   * @param running whether an application may be running
   * @param threads run what may take long; throw OutOfMemoryError where no thread is to spare
   */
  public HelperSessions(
      Supplier<Optional<UserProcesses>> processes,
      Launch java,
      MoveContext context,
      long bytesPerSecond,
      Predicate<String> running,
      Listener listener,
      LongSupplier clockNanos,
      Executor threads) {
    this.processes = processes;
    this.java = java;
    this.context = context;
    this.bytesPerSecond = bytesPerSecond;
    this.listener = listener;
    this.clockNanos = clockNanos;
    this.setAside = new SetAside(clockNanos);
    this.threads = threads;
    this.folders = new HelperFolders(processes, context, running, this::execute);
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
    Application application = applications.get(who.application());
    if (application != null && application.state == State.IDLE) {
      HelperSession session = application.session;
      if (session != null
          && session.alive()
          && clockNanos.getAsLong() - application.lastUsedNanos < HelperSession.FRESH.toNanos()) {
        application.state = State.IN_USE;
        return Optional.of(session);
      }
      retire(application);
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
    Application application = applications.get(who.application());
    if (application != null && application.state != State.NONE) {
      return true;
    }
    if (closed
        || setAside.waits(who.user())
        || (application != null
            && clockNanos.getAsLong() - application.startedNanos < START_PAUSE.toNanos())
        || !roomForOne()) {
      return false;
    }
    Application starting = application == null ? new Application(who) : application;
    applications.put(who.application(), starting);
    starting.state = State.STARTING;
    starting.startedNanos = clockNanos.getAsLong();
    boolean begun = execute(() -> start(starting));
    starting.state = begun ? starting.state : State.NONE;
    return begun;
  }

  /** Has work done that may take long; false where no thread is to spare, or at the end. */
  private boolean execute(Runnable work) {
    if (closed) {
      // It is left to the next NodeManager.
      return false;
    }
    try {
      threads.execute(work);
      return true;
    } catch (OutOfMemoryError e) {
      // So the JDK says that there may be no more threads.
      return false;
    }
  }

  /** Whether one more may be started; those that are idle make room. */
  private boolean roomForOne() {
    if (helpers() >= MOST) {
      applications.values().stream()
          .filter(other -> other.state == State.IDLE)
          .forEach(this::retire);
    }
    return helpers() < MOST;
  }

  private long helpers() {
    return applications.values().stream().filter(any -> any.state != State.NONE).count();
  }

  private void start(Application application) {
    ApplicationUser who = application.who;
    HelperSession session = null;
    try {
      listener.started();
      session =
          HelperSession.start(
              processes.get().orElseThrow(() -> new IOException("nothing can be run as users")),
              folders.scratch(),
              who,
              MoveHelper.task(who, bytesPerSecond, context.dirs()),
              java,
              READY_PATIENCE);
      listener.cleaned(session.cleaned());
      cannotStart = false;
    } catch (HelperException e) {
      failed(who, String.valueOf(e.getMessage()));
    } catch (IOException | RuntimeException e) {
      cannotStart(who, e);
    }
    synchronized (this) {
      if (session == null) {
        application.take();
        return;
      }
      if (applications.get(who.application()) == application && !closed) {
        application.session = session;
        application.state = State.IDLE;
        application.lastUsedNanos = clockNanos.getAsLong();
        return;
      }
    }
    // The application is over already, or the NodeManager is.
    session.end(Orders.QUIT, false);
  }

  /** The user did not bring that about. It is tried again after {@link #START_PAUSE}. */
  private void cannotStart(ApplicationUser who, Exception e) {
    if (over(who)) {
      return;
    }
    listener.failed(e.toString());
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
      listener.failed(why);
      setAside.failed(who, why);
    }
  }

  private synchronized boolean over(ApplicationUser who) {
    return closed || !applications.containsKey(who.application());
  }

  /** Ends a helper that nobody uses; later where no thread is to spare. */
  private void retire(Application application) {
    HelperSession session = application.session;
    if (session != null && execute(() -> session.end(Orders.QUIT, false))) {
      application.take();
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
      Application application = applications.get(who.application());
      if (application == null || application.session != session) {
        // The application ended meanwhile.
        return;
      }
      if (trouble == null && session.done()) {
        application.state = State.IDLE;
        application.lastUsedNanos = clockNanos.getAsLong();
        setAside.worked(who.user());
        return;
      }
      application.take();
    }
    if (trouble != null) {
      failed(who, trouble);
    }
    // Without a thread to wait for its end it is not listened to any more, and ends by itself.
    if (!execute(() -> session.end(Orders.QUIT, true))) {
      session.close();
    }
  }

  /** An application is over: its helper is told so, and its folders go when that is gone. */
  public void applicationEnded(String application) {
    ApplicationUser who;
    Optional<HelperSession> helper;
    synchronized (this) {
      Application over = applications.remove(application);
      if (over == null) {
        return;
      }
      who = over.who;
      helper = over.take();
    }
    if (!execute(
        () -> {
          helper.ifPresent(session -> session.end(Orders.ENDED, false));
          folders.delete(who);
        })) {
      helper.ifPresent(HelperSession::close);
    }
  }

  /** Has all applications end that do not run. */
  public void retain(Set<String> running) {
    Set<String> over;
    synchronized (this) {
      over = new HashSet<>(applications.keySet());
    }
    over.removeAll(running);
    over.forEach(this::applicationEnded);
  }

  /** Lets go of all helpers, which then take back what they are at, and end by themselves. */
  @Override
  public void close() {
    List<HelperSession> last = new ArrayList<>();
    synchronized (this) {
      closed = true;
      applications.values().forEach(application -> application.take().ifPresent(last::add));
    }
    last.forEach(HelperSession::close);
  }
}
