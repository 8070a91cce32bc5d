// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.endpoint;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.http.AbortableInputStream;

/**
 * The bytes of an answer: its request is under way until they end, nobody wants more, or its
 * gateway has been silent for too long.
 */
final class LeasedStream extends FilterInputStream {
  private final Lease lease;
  private final Watch watch;

  private LeasedStream(InputStream in, Lease lease, Watch watch) {
    super(in);
    this.lease = lease;
    this.watch = watch;
    watch.resting();
  }

  static <T> ResponseInputStream<T> of(ResponseInputStream<T> stream, Lease lease, Watch watch) {
    return new ResponseInputStream<>(
        stream.response(),
        AbortableInputStream.create(
            new LeasedStream(stream, lease, watch),
            () -> {
              lease.end();
              stream.abort();
            }));
  }

  @Override
  public int read() throws IOException {
    watch.waiting();
    try {
      return noted(in.read());
    } catch (IOException e) {
      throw noted(e);
    } finally {
      watch.resting();
    }
  }

  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    watch.waiting();
    try {
      return noted(in.read(buffer, offset, length));
    } catch (IOException e) {
      throw noted(e);
    } finally {
      watch.resting();
    }
  }

  @Override
  public void close() throws IOException {
    try {
      in.close();
    } finally {
      lease.end();
    }
  }

  private int noted(int read) throws IOException {
    if (read < 0) {
      if (watch.hasExpired()) {
        throw new IOException("the connection was broken off");
      }
      lease.end();
    }
    return read;
  }

  private IOException noted(IOException failure) {
    IOException told = failure;
    if (watch.hasExpired()) {
      // S3A reads on elsewhere after this exception, and closes nothing that it would wait for.
      told =
          new SocketTimeoutException(
              lease.gateway() + " sent nothing for " + watch.patience().toMillis() + " ms");
      told.initCause(failure);
    }
    lease.failed(told);
    return told;
  }
}
