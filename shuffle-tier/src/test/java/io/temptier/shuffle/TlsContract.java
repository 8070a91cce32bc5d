// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.temptier.shuffle.MapOutputs.Output;
import io.temptier.shuffle.RawHttp.Response;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.mapred.ShuffleHandler;
import org.apache.hadoop.mapreduce.security.SecureShuffleUtils;
import org.junit.jupiter.api.Test;

/** The same over TLS, where nothing can be sent from the page cache. */
abstract class TlsContract extends ShuffleContract {
  private static final TestKeys KEYS = TestKeys.shared();

  @Test
  void serversCertificateAlone() throws Exception {
    Secured secured = new Secured(false, Map.of());
    for (int reduce = 0; reduce < 3; reduce++) {
      for (boolean client : new boolean[] {false, true}) {
        Response response = secured.fetch(client, reduce);
        assertEquals(Optional.of("close"), response.header("connection"));
        assertEquals(Optional.of(secured.replyHash(reduce)), response.header("ReplyHash"));
        assertEquals(secured.segments(reduce), response.segments());
      }
    }
  }

  @Test
  void clientsCertificateWhereItIsRequired() throws Exception {
    Secured secured = new Secured(true, Map.of());
    assertEquals(secured.segments(2), secured.fetch(true, 2).segments());
    assertThrows(IOException.class, () -> secured.fetch(false, 2));
  }

  @Test
  void bigSegments() throws Exception {
    for (String buffer : List.of("61440", "1000", "3000000")) {
      Secured secured =
          new Secured(false, Map.of(ShuffleHandler.SUFFLE_SSL_FILE_BUFFER_SIZE_KEY, buffer));
      Output big = secured.server.outputs().write(secured.job, secured.job.attempt(9), 1, 10 << 20);
      secured.outputs = List.of(secured.outputs.get(0), big);
      assertEquals(secured.segments(0), secured.fetch(false, 0).segments());
    }
  }

  @Test
  void keptAlive() throws Exception {
    Secured secured = new Secured(false, Map.of());
    try (RawHttp http = secured.connect(false)) {
      for (int i = 0; i < 5; i++) {
        RawRequest request = secured.request(i % 3).keepAlive();
        assertEquals(
            secured.segments(i % 3),
            http.exchange(request.sign(secured.job, secured.server.port())).segments());
      }
    }
  }

  @Test
  void aClientWithoutTls() throws Exception {
    Secured secured = new Secured(false, Map.of());
    try (RawHttp http = secured.server.connect()) {
      http.send(secured.request(0).sign(secured.job, secured.server.port()));
      String answer = new String(http.readToEnd(), ISO_8859_1);
      assertFalse(answer.contains("HTTP") || answer.contains(MapOutputs.MARKER), answer);
    }
    assertEquals(secured.segments(0), secured.fetch(false, 0).segments());
  }

  @Test
  void dataShorterThanTheIndexSays() throws Exception {
    Secured secured = new Secured(false, Map.of());
    Output shortened = secured.outputs.get(1);
    Files.write(shortened.data(), Arrays.copyOf(shortened.content(), 20_000));
    try {
      assertEquals(500, secured.fetch(false, 2).status());
    } catch (EOFException e) {
      // The connection ended before all was there.
    }
    assertEquals(secured.segments(0), secured.fetch(false, 0).segments());
  }

  /** A server with TLS and some outputs. */
  private final class Secured {
    final ShuffleServer server;
    final ShuffleJob job;
    List<Output> outputs;

    Secured(boolean clientCertificate, Map<String, String> settings) throws Exception {
      Map<String, String> all = new HashMap<>(KEYS.settings(clientCertificate));
      all.putAll(settings);
      server = KEYS.onClassPath(() -> start(all));
      job = server.startJob("alice", 1);
      outputs = server.outputs().write(job, 5, 400, 0, 300_000);
    }

    RawRequest request(int reduce) {
      return RawRequest.of(job, reduce, MapOutputs.attempts(outputs));
    }

    /** What a fetcher expects of who knows the key of its job. */
    String replyHash(int reduce) throws IOException {
      byte[] hash = request(reduce).hash(job, server.port()).getBytes(UTF_8);
      return SecureShuffleUtils.generateHash(hash, job.key());
    }

    List<WireSegment> segments(int reduce) {
      return MapOutputs.segments(outputs, reduce);
    }

    RawHttp connect(boolean clientCertificate) throws Exception {
      return server.reachedBy(KEYS.sockets(clientCertificate)).connect();
    }

    Response fetch(boolean clientCertificate, int reduce) throws Exception {
      try (RawHttp http = connect(clientCertificate)) {
        return http.exchange(request(reduce).sign(job, server.port()));
      }
    }
  }
}
