// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Programs;
import io.temptier.shuffle.MapOutputs.Output;
import io.temptier.shuffle.RawHttp.Response;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.mapred.IndexRecord;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.SpillRecord;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Outputs that are damaged, incomplete, or not where they were. */
abstract class BrokenOutputContract extends ShuffleContract {
  private ShuffleServer server;
  private ShuffleJob job;
  private Output whole;
  private Output broken;

  @BeforeEach
  void startServer() throws IOException {
    server = start();
    job = server.startJob("alice", 1);
    List<Output> outputs = server.outputs().write(job, 2, 1000, 200_000);
    whole = outputs.get(0);
    broken = outputs.get(1);
  }

  @Test
  void indexMissing() throws IOException {
    Files.delete(broken.indexFile());
    refused("Could not find " + below(broken, MapOutputs.INDEX));
  }

  @Test
  void dataMissing() throws IOException {
    Files.delete(broken.data());
    refused("Could not find " + below(broken, MapOutputs.DATA));
  }

  @Test
  void indexDamaged() throws IOException {
    byte[] index = Files.readAllBytes(broken.indexFile());
    index[5] ^= 1;
    Files.write(broken.indexFile(), index);
    refused("Error Reading IndexFileChecksum error reading spill index: ");
  }

  @Test
  void indexTruncated() throws IOException {
    byte[] index = Files.readAllBytes(broken.indexFile());
    Files.write(broken.indexFile(), Arrays.copyOf(index, index.length - 10));
    refused("Error Reading IndexFile");
    Files.write(broken.indexFile(), new byte[0]);
    refused("Error Reading IndexFile");
  }

  /** From a slow disk; where it was and what its index says is remembered. */
  @Test
  void dataThatVanishesAfterItWasServed() throws IOException {
    assertServed(broken);
    Files.delete(broken.data());
    Response response = server.fetch(job, 1, List.of(broken.attempt()));
    assertEquals("HTTP/1.1 500 Internal Server Error", response.statusLine());
    assertTrue(response.text().contains(below(broken, MapOutputs.DATA)), response::text);
    assertServed(whole);
  }

  /** A damaged index is not remembered. */
  @Test
  void indexMended() throws IOException {
    byte[] index = Files.readAllBytes(broken.indexFile());
    Files.write(broken.indexFile(), new byte[index.length]);
    refused("Error Reading IndexFile");
    Files.write(broken.indexFile(), index);
    assertServed(broken);
  }

  /**
   * Fetchers see that the connection ends too early; nothing else may come in place of the bytes.
   */
  @Test
  void dataShorterThanTheIndexSays() throws IOException {
    int left = 100_000;
    Files.write(broken.data(), Arrays.copyOf(broken.content(), left));
    try (RawHttp http = server.connect()) {
      http.send(server.request(job, 1, List.of(whole, broken)));
      if (http.readHead().get(0).contains("200")) {
        byte[] first = whole.segment(1).onTheWire();
        byte[] second = broken.segment(1).onTheWire();
        byte[] body = http.readToEnd();
        assertTrue(body.length < first.length + second.length, "more than there is");
        assertArrayEquals(first, Arrays.copyOf(body, first.length));
        byte[] rest = Arrays.copyOfRange(body, first.length, body.length);
        assertArrayEquals(Arrays.copyOf(second, rest.length), rest);
      }
    }
    assertServed(whole);
  }

  @Test
  void movedToAnotherDir() throws IOException {
    assertServed(broken);
    Path target = server.outputs().localDirs().get(0).resolve(below(broken, ""));
    Files.createDirectories(target);
    for (String file : List.of(MapOutputs.DATA, MapOutputs.INDEX)) {
      Files.move(broken.folder().resolve(file), target.resolve(file));
    }
    // Stock keeps the path for minutes.
    if (tiered) {
      assertServed(broken);
    } else {
      refused(broken.data() + " (No such file or directory)");
    }
  }

  @Test
  void indexWithNegativeOrHugeNumbers() throws IOException {
    for (IndexRecord wrong :
        List.of(
            new IndexRecord(0, 10, -1_000_000_000),
            new IndexRecord(-5, 10, 10),
            new IndexRecord(0, -1, 10),
            new IndexRecord(Long.MAX_VALUE - 3, 10, 10),
            new IndexRecord(5, 10, Long.MAX_VALUE - 3),
            new IndexRecord(0, 10, broken.content().length + 1))) {
      server.close();
      startServer();
      for (int map = 0; map < 4; map++) {
        Output bad = server.outputs().write(job, job.attempt(10 + map), map % 2, 1000, 1000);
        writeIndex(bad, wrong);
        // Stock sends what an index says, and announces negative lengths.
        if (tiered) {
          Response response = server.fetch(job, 0, List.of(bad.attempt()));
          assertEquals(500, response.status());
          assertTrue(response.text().startsWith("Error Reading IndexFile"), response::text);
        }
      }
      assertServed(whole);
      assertEquals(0, server.segmentBytes());
    }
  }

  private static void writeIndex(Output output, IndexRecord first) throws IOException {
    SpillRecord index = new SpillRecord(2);
    index.putIndex(first, 0);
    index.putIndex(output.index().get(1), 1);
    index.writeToFile(
        new org.apache.hadoop.fs.Path(output.indexFile().toUri()),
        MapOutputs.PlainLocalFileSystem.use(new JobConf(false)));
  }

  /** Sixteen at a time; stock reads them all into memory. */
  @Test
  void indexesOfTwoHundredMegabytes() throws Exception {
    if (!tiered) {
      return;
    }
    List<RawHttp> clients = new ArrayList<>();
    for (int map = 0; map < 16; map++) {
      Output bad = server.outputs().write(job, job.attempt(10 + map), map % 2, 1000);
      try (RandomAccessFile sparse = new RandomAccessFile(bad.indexFile().toFile(), "rw")) {
        sparse.setLength(200 << 20);
      }
      RawHttp http = server.connect();
      clients.add(http);
      http.send(server.request(job, 0, List.of(bad)));
    }
    for (RawHttp http : clients) {
      Response response = http.read();
      assertTrue(response.text().contains("is not an index"), response::text);
      http.close();
    }
    assertServed(whole);
  }

  /** Stock waits for whoever would write into the pipe, on the thread that serves others, too. */
  @Test
  void pipesInThePlaceOfOutputs() throws Exception {
    if (!tiered) {
      return;
    }
    for (int map = 0; map < 8; map++) {
      Output bad = server.outputs().write(job, job.attempt(10 + map), 1, 1000);
      Path pipe = map % 2 == 0 ? bad.data() : bad.indexFile();
      Files.delete(pipe);
      Programs.pipe(pipe);
      Response response = server.fetch(job, 0, List.of(bad.attempt()));
      assertEquals(500, response.status());
    }
    assertServed(whole);
    assertServed(broken);
  }

  @Test
  void linksToAnotherJobsOutput() throws IOException {
    ShuffleJob bob = server.startJob("bob", 2);
    Output bobs = server.outputs().write(bob, 1, 1000, 200_000).get(0);
    for (boolean wholeFolder : new boolean[] {false, true}) {
      Output mine = server.outputs().write(job, job.attempt(wholeFolder ? 11 : 10), 0, 1000);
      if (wholeFolder) {
        Files.move(mine.folder(), folder.resolve("away"));
        Files.createSymbolicLink(mine.folder(), bobs.folder());
      } else {
        Files.copy(bobs.indexFile(), mine.indexFile(), StandardCopyOption.REPLACE_EXISTING);
        Files.delete(mine.data());
        Files.createSymbolicLink(mine.data(), bobs.data());
      }
      Response response = server.fetch(job, 0, List.of(mine.attempt()));
      // Stock serves what a link leads to, where no owner is checked.
      assertEquals(!tiered, response.text().contains(MapOutputs.MARKER));
    }
  }

  private static String below(Output output, String file) {
    String path = output.data().resolveSibling(file).toString();
    return path.substring(path.indexOf("usercache"));
  }

  private void assertServed(Output output) throws IOException {
    for (int reduce = 0; reduce < output.index().size(); reduce++) {
      server.assertServes(job, reduce, List.of(output));
    }
  }

  /** Neither alone nor among others is anything of the broken output sent. */
  private void refused(String text) throws IOException {
    for (List<String> maps :
        List.of(List.of(broken.attempt()), List.of(whole.attempt(), broken.attempt()))) {
      Response response = server.fetch(job, 0, maps);
      assertEquals("HTTP/1.1 500 Internal Server Error", response.statusLine());
      assertTrue(response.text().startsWith(text), response::text);
    }
    assertServed(whole);
  }
}
