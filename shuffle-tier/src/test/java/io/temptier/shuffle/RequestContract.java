// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.shuffle.MapOutputs.Output;
import io.temptier.shuffle.RawHttp.Response;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Requests that must be refused, with stock's status and text, and without a byte of an output. */
abstract class RequestContract extends ShuffleContract {
  private static final String BAD_VERSION = "Incompatible shuffle request version";
  private static final String MISSING = "Required param job, map and reduce";
  private static final String TOO_MANY = "Too many job/reduce parameters";
  private static final String BAD_REDUCE = "Bad reduce parameter";
  private static final String BAD_HASH = "Verification of the hashReply failed";

  private ShuffleServer server;
  private ShuffleJob job;
  private ShuffleJob bob;
  private Output output;
  private Output bobs;
  private Path outside;
  private RawRequest good;
  private String base;

  @BeforeEach
  void startServer() throws IOException {
    server = start();
    job = server.startJob("alice", 1);
    bob = server.startJob("bob", 2);
    output = server.outputs().write(job, 1, 100, 300, 50).get(0);
    bobs = server.outputs().write(bob, 2, 200, 200).get(1);
    outside = Files.createDirectories(folder.resolve("outside"));
    Files.copy(bobs.data(), outside.resolve(MapOutputs.DATA));
    Files.copy(bobs.indexFile(), outside.resolve(MapOutputs.INDEX));
    good = RawRequest.of(job, 0, List.of(output.attempt()));
    base = "/mapOutput?job=" + job.id();
  }

  @Test
  void onlyGet() throws IOException {
    for (String method : List.of("POST", "HEAD", "PUT", "DELETE", "CONNECT", "get", "FETCH")) {
      refused("405 Method Not Allowed", "", good.withMethod(method));
    }
  }

  @Test
  void otherVersions() throws IOException {
    refused("400 Bad Request", BAD_VERSION, good.without("version"));
    refused("400 Bad Request", BAD_VERSION, good.without("name"));
    refused("400 Bad Request", BAD_VERSION, good.with("version", "1.0.1"));
    refused("400 Bad Request", BAD_VERSION, good.with("name", "tez"));
  }

  @Test
  void missingParameters() throws IOException {
    String map = "&map=" + output.attempt();
    refused("400 Bad Request", MISSING, RawRequest.of("/mapOutput?reduce=0" + map));
    refused("400 Bad Request", MISSING, RawRequest.of(base + map));
    refused("400 Bad Request", MISSING, RawRequest.of(base + "&reduce=0"));
    refused("400 Bad Request", MISSING, RawRequest.of("/mapOutput"));
    refused("400 Bad Request", MISSING, RawRequest.of("/"));
  }

  @Test
  void severalJobsOrReduces() throws IOException {
    refused("400 Bad Request", TOO_MANY, good.withUri(good.uri() + "&reduce=0"));
    refused("400 Bad Request", TOO_MANY, good.withUri(good.uri() + "&job=" + job.id()));
  }

  @Test
  void reducesThatAreNoNumbers() throws IOException {
    for (String reduce : List.of("", "x", "0x1", "+1", "1.0", "99999999999")) {
      refused("400 Bad Request", BAD_REDUCE, ofReduce(reduce));
    }
  }

  @Test
  void reducesOutOfRange() throws IOException {
    for (String reduce : List.of("3", "7", "2147483647")) {
      String text =
          "Invalid request  Map Id = %s Reducer = %s Index Info Length = 3"
              .formatted(output.attempt(), reduce);
      refused("500 Internal Server Error", text, ofReduce(reduce));
    }
  }

  @Test
  void negativeReduces() throws IOException {
    // Of the lowest one stock's multiplication by 24 in an int leaves 0.
    for (String reduce : List.of("-1", "-3", tiered ? "-2147483648" : "-99")) {
      try (RawHttp http = server.connect()) {
        Response response = http.exchange(ofReduce(reduce).sign(job, server.port()));
        assertEquals("HTTP/1.1 500 Internal Server Error", response.statusLine());
        assertFalse(response.text().contains(MapOutputs.MARKER), response::text);
      }
    }
  }

  @Test
  void unknownJobs() throws IOException {
    for (String unknown : List.of("job_1111111111111_0099", "nonsense", "")) {
      refused(
          "401 Unauthorized",
          "Can't find job token for job " + unknown + " !!",
          RawRequest.of("/mapOutput?job=" + unknown + "&reduce=0&map=" + output.attempt()));
    }
  }

  @Test
  void wrongHashes() throws IOException {
    refusedAsIs("401 Unauthorized", "fetcher cannot be authenticated", good);
    RawRequest otherReduce = RawRequest.of(job, 1, List.of(output.attempt()));
    for (String hash :
        List.of(
            "AAAA",
            "",
            "no base 64",
            good.hash(bob, server.port()),
            good.hash(job, server.port() + 1),
            otherReduce.hash(job, server.port()))) {
      refusedAsIs("401 Unauthorized", BAD_HASH, good.with("UrlHash", hash));
    }
  }

  @Test
  void theHashIsOverAllOfTheUrl() throws IOException {
    RawRequest signed = good.sign(job, server.port());
    for (String uri :
        List.of(good.uri() + "&x=y", good.uri().replace("/mapOutput", "/x"), good.uri() + ",")) {
      refusedAsIs("401 Unauthorized", BAD_HASH, signed.withUri(uri));
    }
  }

  @Test
  void mapsThatDoNotExist() throws IOException {
    String unknown = job.attempt(77);
    String text =
        "Could not find %s/%s/file.out.index in any of the configured local directories"
            .formatted(job.outputFolder(), unknown);
    refused("500 Internal Server Error", text, RawRequest.of(job, 0, List.of(unknown)));
    refused(
        "500 Internal Server Error",
        text,
        RawRequest.of(job, 0, List.of(output.attempt(), unknown, output.attempt())));
  }

  @Test
  void requestLinesAndHeadersThatAreTooLong() throws IOException {
    String many = output.attempt() + ("," + output.attempt()).repeat(200);
    refused("400 Bad Request", BAD_VERSION, RawRequest.of(job, 0, List.of(many)));
    refused("400 Bad Request", BAD_VERSION, good.with("x", "y".repeat(9000)));
  }

  @Test
  void whatIsNoHttp() throws IOException {
    for (String garbage : List.of("hello\r\n\r\n", "\0\1\2 \377\376\r\n\r\n", "GET\r\n\r\n")) {
      try (RawHttp http = server.connect()) {
        http.send(garbage.getBytes(ISO_8859_1));
        assertRefused("400 Bad Request", BAD_VERSION, http.read());
        assertTrue(http.closedByServer());
      }
    }
  }

  @Test
  void requestsAfterARefusedOneAreNotAnswered() throws IOException {
    try (RawHttp http = server.connect()) {
      http.send(good);
      http.send(good.keepAlive().sign(job, server.port()));
      assertEquals(401, http.read().status());
      assertTrue(http.closedByServer());
    }
  }

  @Test
  void upToAnotherJobOrOutOfTheLocalDirs() throws IOException {
    String up = "../../../../bob/appcache/" + bob.application() + "/output/" + bobs.attempt();
    String out = "../../../../../../outside";
    for (String map :
        List.of(
            up,
            "./" + up,
            job.attempt(0) + "/../" + up,
            out,
            "../".repeat(40) + outside.toString().substring(1),
            out.replace("/", "%2F").replace(".", "%2e"))) {
      reachesOnlyIfStock(map);
    }
  }

  @Test
  void namesThatLeadNowhere() throws IOException {
    String up = "../../../../../../outside";
    for (String map :
        List.of(
            up.replace("/", "%252F").replace(".", "%252e"),
            up.replace(".", "%c0%ae"),
            up.replace("/", "%5c"),
            outside.toString(),
            "/" + outside,
            "file:" + outside,
            "file://" + outside,
            "//localhost" + outside,
            outside.toString().replace("/", "%2f"),
            bobs.attempt(),
            "bob/" + bobs.attempt(),
            up + "%00",
            "%00" + up,
            up + "%0a",
            up + "%zz",
            job.attempt(0) + "%c3%a9%ff",
            up + "/file.out",
            up + "/file.out%00")) {
      neverReaches(map);
    }
  }

  @Test
  void oneJobsIndexIsNotAnothers() throws IOException {
    Output first = server.outputs().write(job, bobs.attempt(), 0, 50, 50);
    server.assertServes(job, 0, List.of(first));
    Response response = server.fetch(bob, 0, List.of(bobs.attempt()));
    boolean bobsOwn = response.segments().equals(List.of(bobs.segment(0)));
    // Stock's cache of indices goes by the map id alone.
    assertEquals(tiered, bobsOwn);
  }

  private void neverReaches(String map) throws IOException {
    Response response = server.fetch(job, 0, List.of(map));
    assertTrue(response.status() >= 400, response::statusLine);
    assertFalse(response.text().contains(MapOutputs.MARKER), response::text);
    server.assertServes(bob, 1, List.of(bobs));
  }

  /** Stock appends the map id to a path as it is. */
  private void reachesOnlyIfStock(String map) throws IOException {
    if (tiered) {
      neverReaches(map);
    } else {
      Response response = server.fetch(job, 0, List.of(map));
      assertEquals(bobs.segment(0).bytes(), response.segments().get(0).bytes());
    }
  }

  private RawRequest ofReduce(String reduce) {
    return RawRequest.of(base + "&reduce=" + reduce + "&map=" + output.attempt());
  }

  private void refused(String status, String text, RawRequest request) throws IOException {
    refusedAsIs(status, text, request.sign(job, server.port()));
  }

  private void refusedAsIs(String status, String text, RawRequest request) throws IOException {
    try (RawHttp http = server.connect()) {
      assertRefused(status, text, http.exchange(request));
      assertTrue(http.closedByServer(), "connection stays open after " + status);
    }
  }

  private static void assertRefused(String status, String text, Response response) {
    assertEquals(
        List.of(
            "HTTP/1.1 " + status,
            "content-type: text/plain; charset=UTF-8",
            "name: mapreduce",
            "version: 1.0.0",
            "content-length: " + text.length()),
        response.head(),
        response::text);
    assertEquals(text, response.text());
  }
}
