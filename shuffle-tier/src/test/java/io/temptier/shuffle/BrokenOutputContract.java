/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.temptier.shuffle;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.shuffle.MapOutputs.Output;
import io.temptier.shuffle.RawHttp.Response;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.List;
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
      http.send(
          RawRequest.of(job, 1, List.of(whole.attempt(), broken.attempt()))
              .sign(job, server.port()));
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
    if (handler().findsMovedOutputs()) {
      assertServed(broken);
    } else {
      refused(broken.data() + " (No such file or directory)");
    }
  }

  /** As demotion moves it: at every moment there is a readable file at the old path. */
  @Test
  void replacedByALink() throws IOException {
    assertServed(broken);
    Path target = server.outputs().localDirs().get(0).resolve(below(broken, MapOutputs.DATA));
    Files.createDirectories(target.getParent());
    Files.copy(broken.data(), target);
    Path link = broken.data().resolveSibling("link");
    Files.createSymbolicLink(link, target);
    Files.move(
        link, broken.data(), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    assertServed(broken);
    assertServed(whole);
  }

  private static String below(Output output, String file) {
    String path = output.data().resolveSibling(file).toString();
    return path.substring(path.indexOf("usercache"));
  }

  private void assertServed(Output output) throws IOException {
    for (int reduce = 0; reduce < output.index().size(); reduce++) {
      Response response = server.fetch(job, reduce, List.of(output.attempt()));
      assertEquals(200, response.status(), response::text);
      assertEquals(List.of(output.segment(reduce)), response.segments());
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
