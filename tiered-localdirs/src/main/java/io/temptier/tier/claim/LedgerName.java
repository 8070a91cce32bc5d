// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.claim;

import com.google.auto.value.AutoValue;
import io.temptier.tier.os.ProcessTable;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of a ledger:
 *
 * <pre>{@code
 * <pid>-<start ticks>-<pid namespace, or 0>-<container, application or none>-<tag>
 * }</pre>
 *
 * The tag is drawn, so that nobody takes the name before its owner does, and that two copies of
 * this class in one process, or two processes of the same pid and start time, keep apart. A tag
 * that begins with {@link #LEASE} is that of the NodeManager's lease for a container.
 */
@AutoValue
abstract class LedgerName {
  private static final String LEASE = "lease";
  private static final Pattern NAME =
      Pattern.compile(
          "(\\d{1,10})-(\\d{1,18})-(\\d{1,20})-([A-Za-z0-9_]{1,100})-((?:lease)?[0-9a-z]{1,16})");

  abstract ProcessTable.Owner owner();

  /** The owner's pid namespace; empty when its maker did not know. */
  abstract String namespace();

  abstract Holder holder();

  abstract String tag();

  static LedgerName of(ProcessTable.Owner owner, String namespace, Holder holder, String tag) {
    return new AutoValue_LedgerName(owner, namespace, holder, tag);
  }

  /**
   * A new one of this process.
   *
   * @param lease whether it is the NodeManager's lease for a container
   */
  static LedgerName draw(ProcessTable processes, Holder holder, boolean lease) {
    String drawn = Integer.toUnsignedString(ThreadLocalRandom.current().nextInt(), 36);
    return of(processes.self(), processes.namespace(), holder, lease ? LEASE + drawn : drawn);
  }

  /** What a name says; empty when it is not a ledger's. */
  static Optional<LedgerName> parse(String name) {
    Matcher is = NAME.matcher(name);
    return is.matches()
        ? Optional.of(
            of(
                ProcessTable.Owner.of(Long.parseLong(is.group(1)), Long.parseLong(is.group(2))),
                is.group(3).equals("0") ? "" : is.group(3),
                Holder.create(is.group(4)),
                is.group(5)))
        : Optional.empty();
  }

  /** Whether it says, if its maker may say so, that a container runs. */
  boolean lease() {
    return tag().startsWith(LEASE) && holder().isContainer();
  }

  @Override
  public final String toString() {
    return owner().pid()
        + "-"
        + owner().startTicks()
        + "-"
        + (namespace().isEmpty() ? "0" : namespace())
        + "-"
        + holder().id()
        + "-"
        + tag();
  }
}
