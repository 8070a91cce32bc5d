// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.endpoint;

import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.http.AbortableInputStream;

/** A request under way on one gateway. Its end counts once; thread safe. */
final class Lease {
  final Gateway gateway;
  private final GatewayGroup group;

  /** The gateway is tried although it is taken out. */
  private final boolean wasOut;

  private final AtomicBoolean ended = new AtomicBoolean();
  private volatile Runnable atEnd = () -> {};

  /** A request that begins; under the lock of its group. */
  Lease(GatewayGroup group, Gateway gateway) {
    this.group = group;
    this.gateway = gateway;
    this.wasOut = gateway.isOut();
  }

  /** The gateway answered; the request goes on when it has a stream. */
  void answered() {
    group.answered(gateway, wasOut);
  }

  /** Sets what is done once when it ends; to be called before that. */
  void atEnd(Runnable action) {
    atEnd = action;
  }

  /** Ends it: nothing more comes or is wanted. */
  void end() {
    if (ended.compareAndSet(false, true)) {
      group.ended(gateway);
      atEnd.run();
    }
  }

  /** Ends it with a failure, and returns what that says. */
  Outcome failed(Throwable failure) {
    Outcome outcome = Outcome.of(failure);
    if (outcome.blames()) {
      group.failed(gateway, outcome, failure);
    } else if (outcome == Outcome.ANSWERED) {
      answered();
    }
    end();
    return outcome;
  }

  /** The answer's stream: this goes on until its bytes end. Its gateway's silence is watched. */
  <T> ResponseInputStream<T> over(ResponseInputStream<T> stream, Watch watch) {
    return new ResponseInputStream<>(
        stream.response(),
        AbortableInputStream.create(
            new LeasedStream(stream, watch, Answers.length(stream.response())),
            () -> {
              end();
              stream.abort();
            }));
  }

  /**
   * The bytes of an answer: its request is under way until they end, nobody wants more, or its
   * gateway has been silent for too long. What is skipped is read, and so waited for.
   */
  private final class LeasedStream extends InputStream {
    private final InputStream in;
    private final Watch watch;

    /** Length of the answer; 0 if unknown. */
    private final long expected;

    private long passed;

    LeasedStream(InputStream in, Watch watch, long expected) {
      this.in = in;
      this.watch = watch;
      this.expected = expected;
      watch.resting();
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
      watch.waiting();
      int came = 0;
      try {
        came = in.read(buffer, offset, length);
        if (came < 0 && watch.hasExpired()) {
          throw new IOException("the connection was broken off");
        }
        if (came < 0 && passed < expected) {
          throw new IOException(
              gateway + " ended an answer of " + expected + " bytes after " + passed);
        }
        passed += Math.max(0, came);
      } catch (IOException e) {
        throw noted(e);
      } finally {
        watch.came(came);
      }
      if (came < 0) {
        end();
      }
      return came;
    }

    @Override
    public int available() throws IOException {
      return in.available();
    }

    @Override
    public void close() throws IOException {
      try {
        in.close();
      } finally {
        end();
      }
    }

    private IOException noted(IOException failure) {
      IOException shown = failure;
      if (watch.hasExpired()) {
        // S3A reads on elsewhere after this exception, and closes nothing that it would wait for.
        shown =
            new SocketTimeoutException(
                gateway + " sent nothing, or too little, for " + watch.patience.toMillis() + " ms");
        shown.initCause(failure);
      }
      failed(shown);
      return shown;
    }
  }
}
