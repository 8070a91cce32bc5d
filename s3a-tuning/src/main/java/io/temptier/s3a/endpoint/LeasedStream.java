// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.endpoint;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.http.AbortableInputStream;

/** The bytes of an answer: its request is under way until they end, or nobody wants more. */
final class LeasedStream extends FilterInputStream {
  private final Lease lease;

  private LeasedStream(InputStream in, Lease lease) {
    super(in);
    this.lease = lease;
  }

  static <T> ResponseInputStream<T> of(ResponseInputStream<T> stream, Lease lease) {
    return new ResponseInputStream<>(
        stream.response(),
        AbortableInputStream.create(
            new LeasedStream(stream, lease),
            () -> {
              lease.end();
              stream.abort();
            }));
  }

  @Override
  public int read() throws IOException {
    try {
      return noted(in.read());
    } catch (IOException e) {
      throw noted(e);
    }
  }

  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    try {
      return noted(in.read(buffer, offset, length));
    } catch (IOException e) {
      throw noted(e);
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

  private int noted(int read) {
    if (read < 0) {
      lease.end();
    }
    return read;
  }

  private IOException noted(IOException failure) {
    lease.failed(failure);
    return failure;
  }
}
