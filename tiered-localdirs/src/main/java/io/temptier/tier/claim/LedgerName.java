// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.claim;

import io.temptier.tier.os.ProcessTable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The name of a ledger:
 *
 * <pre>{@code
 * <pid>-<start ticks>-<pid namespace, or 0>-<holder>-<tag>
 * }</pre>
 *
 * The holder is the process's container, such as {@code
 * container_e17_1700000000000_0001_01_000002}, or {@code none} outside YARN. The tag is drawn, so
 * that nobody takes the name before its owner does, and that two copies of this class in one
 * process, or two processes of the same pid and start time, keep apart. A tag that begins with
 * {@link #LEASE} is that of the NodeManager's lease for a container.
 */
final class LedgerName {
  static final String NOBODY = "none";

  private static final String LEASE = "lease";
  private static final Pattern HOLDER = Pattern.compile("[A-Za-z0-9_]{1,100}");
  private static final Pattern NAME =
      Pattern.compile(
          "(\\d{1,10})-(\\d{1,18})-(\\d{1,20})-(" + HOLDER + ")-((?:lease)?[0-9a-z]{1,16})");
  private static final Pattern CONTAINER =
      Pattern.compile("container_(?:e\\d+_)?(\\d+_\\d+)_\\d+_\\d+");

  /** The holder of what this process claims: YARN tells it every process of a container. */
  static final String OWN = holder(System.getenv("CONTAINER_ID"));

  final ProcessTable.Owner owner;

  /** The owner's pid namespace; empty when its maker did not know. */
  final String namespace;

  final String holder;

  /** True if it says, if its maker may say so, that a container runs. */
  final boolean lease;

  private LedgerName(Matcher matcher) {
    this.owner =
        ProcessTable.Owner.of(Long.parseLong(matcher.group(1)), Long.parseLong(matcher.group(2)));
    this.namespace = matcher.group(3).equals("0") ? "" : matcher.group(3);
    this.holder = matcher.group(4);
    this.lease = matcher.group(5).startsWith(LEASE) && CONTAINER.matcher(holder).matches();
  }

  /** Parses a name; null when it is not a ledger's. */
  static @Nullable LedgerName parse(String name) {
    // Far cheaper than the pattern, and a folder may hold thousands of other names.
    if (name.isEmpty() || !Character.isDigit(name.charAt(0))) {
      return null;
    }
    Matcher matcher = NAME.matcher(name);
    return matcher.matches() ? new LedgerName(matcher) : null;
  }

  /** A new name of this process; one with {@code lease} is the NodeManager's for a container. */
  static String draw(ProcessTable processes, String holder, boolean lease) {
    ProcessTable.Owner self = processes.self();
    String namespace = processes.namespace();
    return String.join(
        "-",
        Long.toString(self.pid()),
        Long.toString(self.startTicks()),
        namespace.isEmpty() ? "0" : namespace,
        holder,
        (lease ? LEASE : "") + Integer.toUnsignedString(ThreadLocalRandom.current().nextInt(), 36));
  }

  private static String holder(@Nullable String container) {
    return container != null && HOLDER.matcher(container).matches() ? container : NOBODY;
  }

  /** A holder's application, or what stands in place of one. */
  static String application(String holder) {
    Matcher container = CONTAINER.matcher(holder);
    return container.matches() ? "application_" + container.group(1) : holder;
  }
}
