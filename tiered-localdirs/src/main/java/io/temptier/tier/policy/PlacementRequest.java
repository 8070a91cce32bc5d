// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.policy;

import com.google.auto.value.AutoValue;
import io.temptier.tier.FileKind;
import io.temptier.tier.LocalDir;
import io.temptier.tier.text.Sizes;
import org.jspecify.annotations.Nullable;

/** A file that is about to be written. */
@AutoValue
public abstract class PlacementRequest {
  /** Path relative to a local dir. */
  public abstract String path();

  public abstract FileKind kind();

  public abstract long bytes();

  /** False when {@link #bytes} is the assumption for an unknown size. */
  public abstract boolean sizeKnown();

  public abstract @Nullable String application();

  /**
   * Room that a dir must have to be chosen before others, at least {@link #bytes}: more where the
   * file may become larger than its writer says, {@link Long#MAX_VALUE} for the dir with the most.
   * Only the bytes are claimed.
   */
  public abstract long roomBytes();

  /** Share to which a tier may be full if there is a slower one, 0 to 1; 1 is no limit. */
  public abstract double fillLimit();

  /** The share of what others leave of a disk that it may fill with the like, 0 to 1. */
  public abstract double diskLimit();

  /**
   * A number that differs from request to request; policies draw their randomness and their turn
   * from it, so that they need no state.
   */
  public abstract long ticket();

  /** The dir where readers look for it first, or null. Of its tier this dir takes the file. */
  public abstract @Nullable LocalDir home();

  /** Makes a request without limits, home dir or extra room. */
  public static PlacementRequest of(
      String path,
      FileKind kind,
      long bytes,
      boolean sizeKnown,
      @Nullable String application,
      long ticket) {
    return new AutoValue_PlacementRequest(
        path, kind, bytes, sizeKnown, application, bytes, 1, 1, ticket, null);
  }

  /** Returns the request with so much room that a dir must have to be chosen before others. */
  public PlacementRequest needing(long bytesOfRoom) {
    return with(bytes(), bytesOfRoom, fillLimit(), diskLimit(), home());
  }

  /**
   * Returns the request, still of unknown size, with so many bytes expected. What it needs beyond
   * its bytes stays the same.
   */
  public PlacementRequest expecting(long expectedBytes) {
    long more = roomBytes() == Long.MAX_VALUE ? Long.MAX_VALUE : roomBytes() - bytes();
    return with(expectedBytes, Sizes.sum(expectedBytes, more), fillLimit(), diskLimit(), home());
  }

  public PlacementRequest at(LocalDir dir) {
    return with(bytes(), roomBytes(), fillLimit(), diskLimit(), dir);
  }

  /** Returns the request with the limit of the user in whose folder the first path lies. */
  public PlacementRequest within(FillLimits limits, String... paths) {
    return of(FillLimits.userIn(paths), limits);
  }

  /** Returns the request with the limit of a user, null when not known. */
  public PlacementRequest of(@Nullable String owner, FillLimits limits) {
    return with(bytes(), roomBytes(), limits.of(kind(), owner), diskLimit(), home());
  }

  /** Returns the request with a disk's room bounded to a share of what others leave, 0 to 1. */
  public PlacementRequest upTo(double limit) {
    return with(bytes(), roomBytes(), fillLimit(), limit, home());
  }

  private PlacementRequest with(
      long size, long room, double limit, double ofDisk, @Nullable LocalDir in) {
    return new AutoValue_PlacementRequest(
        path(), kind(), size, sizeKnown(), application(), room, limit, ofDisk, ticket(), in);
  }
}
