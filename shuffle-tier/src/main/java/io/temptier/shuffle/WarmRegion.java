// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle;

import io.netty.channel.FileRegion;
import io.netty.util.AbstractReferenceCounted;
import java.io.EOFException;
import java.io.IOException;
import java.nio.channels.WritableByteChannel;

/**
 * A part of a segment that a lane has brought into the page cache: the event loop sends it from
 * there without a copy, and without waiting for the device.
 */
final class WarmRegion extends AbstractReferenceCounted implements FileRegion {
  private final OpenFile file;
  private final long position;
  private final long count;
  private long transferred;

  /**
   * A region; takes one reference to the file over.
   *
   * @param position where it begins in the file, in bytes
   * @param count its bytes
   */
  WarmRegion(OpenFile file, long position, long count) {
    this.file = file;
    this.position = position;
    this.count = count;
  }

  @Override
  public long position() {
    return position;
  }

  @Override
  public long count() {
    return count;
  }

  @Override
  public long transferred() {
    return transferred;
  }

  @Override
  @Deprecated
  public long transfered() {
    return transferred;
  }

  @Override
  public long transferTo(WritableByteChannel target, long done) throws IOException {
    long left = count - done;
    if (left == 0) {
      return 0;
    }
    long sent = file.channel().transferTo(position + done, left, target);
    if (sent > 0) {
      transferred += sent;
    } else if (file.channel().size() < position + count) {
      // Else the channel would try for ever.
      throw new EOFException(
          file.output().data() + " ends before byte " + (position + count) + " of its index");
    }
    return sent;
  }

  @Override
  protected void deallocate() {
    file.release();
  }

  @Override
  public FileRegion retain() {
    super.retain();
    return this;
  }

  @Override
  public FileRegion retain(int increment) {
    super.retain(increment);
    return this;
  }

  @Override
  public FileRegion touch() {
    return this;
  }

  @Override
  public FileRegion touch(Object hint) {
    return this;
  }
}
