// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.claim;

import com.google.auto.value.AutoValue;
import io.temptier.tier.os.ProcessTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A claim of any process, as {@link Claims} read it. Not safe for use by several threads. */
final class ClaimEntry {
  /** What follows the pid namespace is of a later TempTier, which promises the same bytes. */
  private static final Pattern NAME =
      Pattern.compile(
          "(\\d{1,18})-(\\d{1,10})-(\\d{1,18})-([A-Za-z0-9_]{1,100})-(\\d{1,18})"
              + "(?:-n(\\d{1,20}))?(?:-[A-Za-z0-9_.-]{1,64})?");

  /** What the name of a claim says of it. */
  @AutoValue
  abstract static class Name {
    abstract long bytes();

    abstract ProcessTable.Owner owner();

    abstract Holder holder();

    abstract long sequence();

    /** The owner's pid namespace; empty when its maker did not know. */
    abstract String namespace();

    static Name of(
        long bytes, ProcessTable.Owner owner, Holder holder, long sequence, String namespace) {
      return new AutoValue_ClaimEntry_Name(bytes, owner, holder, sequence, namespace);
    }

    private static Name of(Matcher name) {
      return Name.of(
          Long.parseLong(name.group(1)),
          ProcessTable.Owner.of(Long.parseLong(name.group(2)), Long.parseLong(name.group(3))),
          Holder.create(name.group(4)),
          Long.parseLong(name.group(5)),
          name.group(6) == null ? "" : name.group(6));
    }

    @Override
    public final String toString() {
      return bytes()
          + "-"
          + owner().pid()
          + "-"
          + owner().startTicks()
          + "-"
          + holder().id()
          + "-"
          + sequence()
          + (namespace().isEmpty() ? "" : "-n" + namespace());
    }
  }

  final String name;
  final long bytes;
  final ProcessTable.Owner owner;
  final Holder holder;
  final String application;
  final long sequence;
  private final String namespace;

  /** Whether it claims nothing, and says that a container runs, if its maker may say so. */
  final boolean voucher;

  /** The owner of its file. */
  final int uid;

  /** As last read, in bytes. */
  long writtenBytes;

  /** As last read, wall clock. */
  long modifiedMillis;

  /** When this reader last looked at its file, wall clock. */
  long lookedMillis;

  /** When this reader first saw the owner gone, wall clock; 0 while it runs. */
  long deadSinceMillis;

  /** Whether the owner's being alive says anything of the claim. */
  private final boolean ofOwner;

  private ClaimEntry(String file, Name name, ProcessTable.Owner owner, int uid, boolean ofOwner) {
    this.name = file;
    this.bytes = name.bytes();
    this.owner = owner;
    this.uid = uid;
    this.holder = name.holder();
    this.application = holder.application();
    this.sequence = name.sequence();
    this.namespace = name.namespace();
    this.voucher = bytes == 0 && holder.isContainer();
    this.ofOwner = ofOwner;
  }

  /** What a name says; empty when it is not a claim's. */
  static Optional<Name> nameOf(String name) {
    Matcher matcher = NAME.matcher(name);
    return matcher.matches() ? Optional.of(Name.of(matcher)) : Optional.empty();
  }

  /** An entry that this process made. */
  static @Nullable ClaimEntry own(String name, ProcessTable processes) {
    return nameOf(name)
        .map(said -> new ClaimEntry(name, said, processes.self(), processes.selfUid(), true))
        .orElse(null);
  }

  /**
   * Reads an entry seen for the first time.
   *
   * @return null when its name is not a claim's
   * @throws IOException when it cannot be read, or is gone
   */
  static @Nullable ClaimEntry parse(String name, Path folder, ProcessTable processes)
      throws IOException {
    Name said = nameOf(name).orElse(null);
    if (said == null) {
      return null;
    }
    ProcessTable.Owner owner = said.owner();
    // Without this check a job could claim in the name of a process that never ends.
    int ownerUid = processes.uidOf(owner.pid());
    int uid =
        (Integer)
            Objects.requireNonNull(
                Files.getAttribute(folder.resolve(name), "unix:uid", LinkOption.NOFOLLOW_LINKS));
    return new ClaimEntry(name, said, owner, uid, ownerUid < 0 || ownerUid == uid);
  }

  /** Bytes promised and not yet written. */
  long outstandingBytes() {
    return bytes - Math.min(bytes, writtenBytes);
  }

  /**
   * Whether somebody still stands for the claim; if not, remembers since when.
   *
   * @param containers that somebody stands for
   */
  boolean alive(long nowMillis, OwnerLookup owners, Set<Holder> containers) {
    boolean leased = Math.abs(nowMillis - modifiedMillis) < Claims.LEASE_MILLIS;
    boolean ended = owners.ended(owner, namespace, uid);
    if (!ended && (leased || (ofOwner && owners.runs(owner)) || containers.contains(holder))) {
      deadSinceMillis = 0;
      return true;
    }
    if (deadSinceMillis == 0 || deadSinceMillis > nowMillis) {
      // The second is a clock that was set back.
      deadSinceMillis = nowMillis;
    }
    return false;
  }
}
