// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.ceph;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Stands before a gateway on loopback, and can fail as gateways do. Thread safe. */
final class Relay implements Closeable {
  enum Fault {
    /** It passes on what comes. */
    NONE,
    /** It ends: connections are reset, and nothing listens. */
    DEAD,
    /** It accepts connections and passes nothing on, for as long as they live. */
    HANGS,
    /** It answers every request with 503 SlowDown. */
    BUSY,
    /** It resets a connection after {@link #RESET_BYTES} in either direction. */
    RESETS,
    /** Its answers come by a byte every two seconds. */
    TRICKLES,
    /** Its answers begin {@link #SLOW_MILLIS} late. */
    SLOW
  }

  private static final long RESET_BYTES = 1 << 20;
  private static final int CHUNK = 64 << 10;
  private static final long TRICKLE_MILLIS = 2_000;

  /** More than a read is waited for where another gateway may be faster. */
  private static final long SLOW_MILLIS = 12_000;

  private final URI gateway;
  private final int port;
  private final Set<Connection> connections = ConcurrentHashMap.newKeySet();
  private final AtomicInteger refused = new AtomicInteger();
  private volatile Fault fault = Fault.NONE;
  private @Nullable ServerSocket server;

  Relay(URI gateway) throws IOException {
    this.gateway = gateway;
    this.port = listen(0);
  }

  private synchronized int listen(int wanted) throws IOException {
    ServerSocket socket = new ServerSocket();
    socket.setReuseAddress(true);
    // Small, or the kernel takes a whole part for a relay that hangs.
    socket.setReceiveBufferSize(CHUNK);
    socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), wanted));
    server = socket;
    Balancer.start(() -> accept(socket));
    return socket.getLocalPort();
  }

  URI uri() {
    return URI.create("http://127.0.0.1:" + port);
  }

  /** How many requests it answered with 503. */
  int refused() {
    return refused.get();
  }

  /** Fails from now on, or no longer. Connections that hang do so on. */
  synchronized void failBy(Fault how) throws IOException {
    if (fault == Fault.DEAD && how != Fault.DEAD) {
      listen(port);
    }
    fault = how;
    if (how == Fault.DEAD) {
      close();
    } else if (how == Fault.HANGS) {
      connections.forEach(connection -> connection.hangs = true);
    }
  }

  private void accept(ServerSocket socket) {
    while (true) {
      Connection connection;
      try {
        connection = new Connection(socket.accept());
      } catch (IOException e) {
        return;
      }
      connections.add(connection);
      connection.hangs = fault == Fault.HANGS;
      Balancer.start(connection::serve);
    }
  }

  @Override
  public synchronized void close() throws IOException {
    if (server != null) {
      server.close();
      server = null;
    }
    connections.forEach(Connection::reset);
    connections.clear();
  }

  /** A client's connection, and ours to the gateway. */
  private final class Connection {
    private final Socket client;
    private final AtomicLong passed = new AtomicLong();
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile @Nullable Socket behind;
    private volatile boolean hangs;

    /** The gateway has said nothing to the last request. */
    private volatile boolean asked;

    Connection(Socket client) {
      this.client = client;
    }

    void serve() {
      try {
        Socket there = new Socket(gateway.getHost(), gateway.getPort());
        behind = there;
        Balancer.start(() -> pump(there, client, false));
        pump(client, there, true);
      } catch (IOException e) {
        reset();
      }
    }

    private void pump(Socket from, Socket to, boolean requests) {
      byte[] chunk = new byte[CHUNK];
      try {
        InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream();
        while (true) {
          if (hangs) {
            ended.await();
          }
          int read = in.read(chunk);
          if (hangs) {
            ended.await();
          }
          if (read < 0) {
            break;
          }
          if (requests && fault == Fault.BUSY) {
            refuse();
            break;
          }
          asked |= requests;
          if (!requests && asked && fault == Fault.SLOW) {
            asked = false;
            Thread.sleep(SLOW_MILLIS);
          }
          if (fault == Fault.RESETS && passed.addAndGet(read) > RESET_BYTES) {
            break;
          }
          if (!requests && fault == Fault.TRICKLES) {
            trickle(out, chunk, read);
          } else {
            out.write(chunk, 0, read);
          }
        }
      } catch (IOException e) {
        // As the other side ended it.
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      reset();
    }

    /** Until it no longer fails: then the rest comes at once. */
    private void trickle(OutputStream out, byte[] chunk, int length)
        throws IOException, InterruptedException {
      int sent = 0;
      while (sent < length && fault == Fault.TRICKLES) {
        out.write(chunk, sent++, 1);
        out.flush();
        Thread.sleep(TRICKLE_MILLIS);
      }
      out.write(chunk, sent, length - sent);
    }

    private void refuse() throws IOException {
      refused.incrementAndGet();
      client.getOutputStream().write(Balancer.SLOW_DOWN.getBytes(StandardCharsets.US_ASCII));
      client.shutdownOutput();
      // The rest of the request, or the client hears of a reset instead.
      client.getInputStream().transferTo(OutputStream.nullOutputStream());
    }

    void reset() {
      ended.countDown();
      connections.remove(this);
      for (Socket socket : new @Nullable Socket[] {client, behind}) {
        try {
          if (socket != null) {
            socket.setSoLinger(true, 0);
            socket.close();
          }
        } catch (IOException e) {
          // Closed by the other thread.
        }
      }
    }
  }
}
