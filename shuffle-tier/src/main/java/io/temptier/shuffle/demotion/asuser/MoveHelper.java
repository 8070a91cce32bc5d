// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion.asuser;

import io.temptier.shuffle.demotion.move.Candidate;
import io.temptier.shuffle.demotion.move.Leftovers;
import io.temptier.shuffle.demotion.move.MoveContext;
import io.temptier.shuffle.demotion.move.OtherDirs;
import io.temptier.shuffle.demotion.move.OutputMover;
import io.temptier.shuffle.output.MapOutputId;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.demotion.LinkReserve;
import io.temptier.tier.demotion.MoveControl;
import io.temptier.tier.demotion.MoveResult;
import io.temptier.tier.demotion.MoveStoppedException;
import io.temptier.tier.demotion.Pace;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.os.FileStamp;
import io.temptier.tier.os.ProcessTable;
import io.temptier.tier.os.thread.TimedCalls;
import io.temptier.tier.os.thread.TimedCalls.LateException;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.slf4j.LoggerFactory;

/**
 * The process that moves the outputs of one application as its user, by the NodeManager's orders.
 * It has no more rights than the user, so that it matters to nobody else what the user does to it.
 * First it removes what an earlier one left. When the NodeManager is gone, or the application, it
 * takes back what it is at, and ends.
 *
 * <p>One at a time works on an application, which a lock sees to: one that outlives its NodeManager
 * would make a link to a copy that the next one's took for a leftover.
 */
public final class MoveHelper {
  /** What it is started with. */
  public static final Launch LAUNCH =
      new Launch(MoveHelper.class, Immutable.listOf(LocalDir.class, LoggerFactory.class));

  private static final Duration LOCK_PATIENCE = Duration.ofSeconds(30);
  private static final Duration SWEEP_PATIENCE = Duration.ofSeconds(10);
  private static final long LOOK_MILLIS = 100;
  private static final String LOCK = "lock";

  private final String user;
  private final String application;
  private final MoveContext context;
  private final Orders orders;
  private final OutputStream out;

  private MoveHelper(int ownUid, List<String> task, Orders orders, OutputStream out) {
    this.user = task.get(0);
    this.application = task.get(1);
    Pace pace = new Pace(Long.parseLong(task.get(2)));
    List<LocalDir> dirs =
        task.subList(3, task.size()).stream().map(MoveHelper::dir).collect(Immutable.toList());
    this.context = new MoveContext(ownUid, () -> false, dirs, new OtherDirs(), pace);
    this.orders = orders;
    this.out = out;
  }

  /** What one is told at its start: whose outputs it moves, the rate of demotion, and the dirs. */
  public static List<String> task(ApplicationUser who, long bytesPerSecond, List<LocalDir> dirs) {
    List<String> task = new ArrayList<>();
    task.addAll(Immutable.listOf(who.user(), who.application(), Long.toString(bytesPerSecond)));
    dirs.forEach(dir -> task.add(dir.medium().name() + ":" + dir.path()));
    return task;
  }

  private static LocalDir dir(String text) {
    String[] parts = text.split(":", 2);
    return LocalDir.of(Paths.get(parts[1]), Medium.valueOf(parts[0]), LocalDir.NO_CAP, "order");
  }

  /**
   * Runs it in a folder of the user's.
   *
   * @param args the file of orders; the name of a file in the folder that is not needed; the {@link
   *     #task}
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    Files.deleteIfExists(Paths.get(args[1]));
    int uid = new ProcessTable(Paths.get("/proc")).selfUid();
    try (Orders orders = new Orders(Paths.get(args[0]));
        FileChannel lock =
            FileChannel.open(
                Paths.get(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      new TimedCalls("lock", 1)
          .call("another helper of this application does not end", LOCK_PATIENCE, lock::lock);
      OutputStream out = new FileOutputStream(FileDescriptor.out);
      // From here on what is read is reports.
      System.err.close();
      HelperReport.greet(out);
      List<String> task = Arrays.asList(args).subList(2, args.length);
      new MoveHelper(uid, task, orders, out).work();
    }
    // A look into a dir that hangs is no reason to stay.
    Runtime.getRuntime().halt(0);
  }

  private void work() throws IOException, InterruptedException {
    HelperReport.of(0, HelperReport.Kind.READY, Integer.toString(clean())).send(out);
    OutputMover mover = new OutputMover(context, step -> {});
    Optional<Orders.Move> move = orders.next(HelperSession.LINGER);
    while (move.isPresent()) {
      move(mover, move.get());
      move = orders.next(HelperSession.LINGER);
    }
    if (orders.ended()) {
      sweep();
    }
  }

  private int clean() throws IOException {
    Leftovers leftovers = new Leftovers(context, id -> {});
    int removed = 0;
    for (LocalDir dir : context.dirs()) {
      try {
        removed += leftovers.remove(dir, user, application);
      } catch (LateException e) {
        // What is left goes with the application.
      }
    }
    return removed;
  }

  private void move(OutputMover mover, Orders.Move order) throws IOException {
    HelperReport.Kind kind = HelperReport.Kind.MOVED;
    String text = "";
    try {
      MapOutputId id = MapOutputId.of(user, application, order.attempt());
      LocalDir from = context.dirs().get(order.from());
      Path file = from.path().resolve(id.relativePath()).resolve(MapOutputId.DATA);
      FileStamp stamp = FileStamp.of(file);
      if (!stamp.regular() || stamp.bytes() != order.bytes() || stamp.links() != 1) {
        throw new MoveStoppedException(MoveResult.GIVEN_UP, file + " changed");
      }
      LocalDir to = context.dirs().get(order.to());
      mover.moveTo(Candidate.of(id, from, stamp, 0), to, new Control(order));
    } catch (MoveStoppedException e) {
      kind = HelperReport.Kind.STOPPED;
      text = String.valueOf(e.getMessage());
    } catch (LinkReserve.FullException e) {
      kind = HelperReport.Kind.FULL;
      text = String.valueOf(e.getMessage());
    } catch (IOException | RuntimeException e) {
      kind = orders.ended() ? HelperReport.Kind.STOPPED : HelperReport.Kind.FAILED;
      text = e.toString();
    }
    HelperReport.of(order.number(), kind, text).send(out);
  }

  /** Removes folders that became empty, which the NodeManager, deleting them, may have met full. */
  private void sweep() throws InterruptedException {
    long deadline = System.nanoTime() + SWEEP_PATIENCE.toNanos();
    while (!context.ended().none() && System.nanoTime() - deadline < 0) {
      Thread.sleep(LOOK_MILLIS);
      context.dirs().forEach(context.ended()::sweep);
    }
  }

  /** Asks the NodeManager. One that is gone says no. */
  private final class Control implements MoveControl {
    private final Orders.Move order;
    private boolean alone;

    Control(Orders.Move order) {
      this.order = order;
    }

    @Override
    public void check() throws MoveStoppedException {
      try {
        if (!alone && !orders.stopped(order.number())) {
          return;
        }
      } catch (IOException e) {
        alone = true;
      }
      throw new MoveStoppedException(
          MoveResult.GIVEN_UP, alone ? "the NodeManager is gone" : "it is not to go on");
    }

    @Override
    public void pass(LocalDir target, long bytes) throws MoveStoppedException {
      try {
        HelperReport.of(order.number(), HelperReport.Kind.PART, "").send(out);
      } catch (IOException e) {
        alone = true;
      }
      check();
    }

    @Override
    public boolean ended() {
      return orders.ended();
    }
  }
}
