// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.node.device;

import io.temptier.tier.lang.Immutable;
import io.temptier.tier.lang.Strings;
import io.temptier.tier.os.Io;
import io.temptier.tier.os.thread.PeriodicDaemon;
import io.temptier.tier.os.thread.TimedCalls;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks drives for their wear by {@code smartctl}, each every {@link #EVERY}: wear moves by percents
 * in months. Neither {@code /sys} nor {@code /proc} has any of it. The program wants to be root,
 * which the NodeManager mostly is not; where it cannot be run, or says nothing, wear is not known
 * and the log says once why.
 *
 * <p>One thread of its own, which waits for a drive for {@link #PATIENCE}. What was read is safe to
 * ask for from many threads.
 */
final class WearReader implements AutoCloseable {
  static final Duration EVERY = Duration.ofHours(1);

  /** The kernel's own for a drive that does not answer such a command. */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** A new drive is asked within a minute. */
  private static final Duration PERIOD = Duration.ofMinutes(1);

  private static final Logger LOG = LoggerFactory.getLogger(WearReader.class);

  /** Whole drives of metal; volumes, loops and memory wear nothing out. */
  private static final Pattern DRIVE = Pattern.compile("nvme\\d+n\\d+|sd[a-z]+");

  /** Some kilobytes are usual. */
  private static final int MOST_BYTES = 1 << 20;

  private final List<String> command;
  private final Supplier<Set<String>> drives;
  private final Duration patience;
  private final TimedCalls calls = new TimedCalls("TempTier wear", 1);
  private final PeriodicDaemon daemon =
      new PeriodicDaemon("TempTier wear", () -> PERIOD, this::round);
  private final Map<String, Wear> wear = new ConcurrentHashMap<>();
  private final Map<String, Long> askedNanos = new HashMap<>();
  private boolean logged;

  /**
   * Asks by a program, which may have words before it such as {@code sudo -n}.
   *
   * @param drives those to ask, as sysfs names them; none that hangs
   */
  WearReader(String command, Supplier<Set<String>> drives) {
    this(command, drives, PATIENCE);
  }

  WearReader(String command, Supplier<Set<String>> drives, Duration patience) {
    this.patience = patience;
    this.command = Immutable.listOf(command.trim().split("\\s+", -1));
    this.drives = drives;
  }

  void start() {
    daemon.start();
  }

  Wear of(String drive) {
    return wear.getOrDefault(drive, Wear.UNKNOWN);
  }

  /** Asks the drives whose turn it is; for one thread. */
  void round() {
    long now = System.nanoTime();
    for (String drive : drives.get()) {
      Long asked = askedNanos.get(drive);
      if (DRIVE.matcher(drive).matches() && (asked == null || now - asked >= EVERY.toNanos())) {
        askedNanos.put(drive, now);
        read(drive);
      }
    }
    askedNanos.keySet().retainAll(drives.get());
    wear.keySet().retainAll(drives.get());
  }

  private void read(String drive) {
    String trouble;
    try {
      Wear found = Wear.parse(run(drive));
      trouble = found.trouble();
      if (trouble == null) {
        wear.put(drive, found);
        return;
      }
      // One that sleeps keeps what it said when it was awake.
      wear.putIfAbsent(drive, found);
    } catch (IOException e) {
      trouble = e.getMessage();
    }
    if (!logged) {
      logged = true;
      LOG.info(
          "The wear of {} is not known: {} says {}. It wants root: give the NodeManager's user a"
              + " rule for it in sudoers and set temptier.smartctl to sudo -n smartctl. Not logged"
              + " again, of no drive.",
          drive,
          command,
          trouble);
    }
  }

  private String run(String drive) throws IOException {
    List<String> whole = new ArrayList<>(command);
    // One that sleeps is left asleep.
    whole.addAll(Immutable.listOf("-j", "-n", "standby", "-i", "-H", "-A", "-l", "devstat"));
    whole.add("/dev/" + drive);
    Process process =
        new ProcessBuilder(whole)
            .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
            .redirectErrorStream(true)
            .start();
    try {
      String said =
          calls.call(
              drive,
              patience,
              () ->
                  new String(
                      Io.readNBytes(process.getInputStream(), MOST_BYTES), StandardCharsets.UTF_8));
      int json = said.indexOf('{');
      if (json < 0) {
        throw new IOException(
            said.trim().isEmpty() ? "nothing" : Strings.lines(said).findFirst().orElse(""));
      }
      return said.substring(json);
    } finally {
      process.destroyForcibly();
    }
  }

  @Override
  public void close() {
    daemon.close();
  }
}
