// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle;

import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.temptier.fixtures.Eventually;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.mapred.ShuffleHandlerInternals;

/**
 * What a handler holds on behalf of its clients, as counted in this JVM.
 *
 * @param openOutputs descriptors of files in its local dirs
 * @param sockets descriptors of sockets, those of the clients among them
 * @param descriptors all descriptors but those of jars
 * @param connections that it has accepted and not closed
 * @param nettyBytes in buffers of Netty, on the heap or not, that nobody has released
 * @param segmentBytes of the handler's own memory for segments
 * @param files everything in the local dirs
 */
record Footprint(
    List<String> openOutputs,
    long sockets,
    long descriptors,
    int connections,
    long nettyBytes,
    long segmentBytes,
    List<String> files) {
  /** Netty's codecs keep a few constants, such as line ends, in buffers. */
  private static final long CONSTANT_BYTES = 1024;

  /** Counts. */
  static Footprint of(ShuffleServer server, Path folder) throws IOException {
    List<String> open = OpenFiles.all();
    String below = folder.toRealPath().toString();
    return new Footprint(
        open.stream().filter(file -> file.startsWith(below)).toList(),
        open.stream().filter(file -> file.startsWith("socket:")).count(),
        open.stream().filter(file -> !file.endsWith(".jar")).count(),
        // One is the server's own.
        ShuffleHandlerInternals.channels(server.handler()) - 1,
        unreleasedBytes(),
        server.segmentBytes(),
        filesBelow(folder));
  }

  private static long unreleasedBytes() {
    return PooledByteBufAllocator.DEFAULT.pinnedDirectMemory()
        + PooledByteBufAllocator.DEFAULT.pinnedHeapMemory()
        + UnpooledByteBufAllocator.DEFAULT.metric().usedDirectMemory()
        + UnpooledByteBufAllocator.DEFAULT.metric().usedHeapMemory();
  }

  private static List<String> filesBelow(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.map(file -> file + " " + bytes(file)).sorted().toList();
    }
  }

  private static long bytes(Path file) {
    try {
      return Files.isDirectory(file) ? 0 : Files.size(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether nothing is held for clients any more, that was not before there were any. */
  private boolean givenBack(Footprint before) {
    return openOutputs.isEmpty()
        && sockets <= before.sockets
        && descriptors <= before.descriptors
        && connections == 0
        && nettyBytes <= CONSTANT_BYTES
        && segmentBytes == 0
        && files.equals(before.files);
  }

  /** Fails when a handler whose clients are all gone does not give back what it held for them. */
  static void assertGivenBack(ShuffleServer server, Path folder, Footprint before) {
    Footprint[] now = {before};
    try {
      Eventually.holds(
          "given back",
          () -> {
            now[0] = of(server, folder);
            return now[0].givenBack(before);
          });
    } catch (AssertionError e) {
      List<String> more = new ArrayList<>(now[0].files);
      more.removeAll(before.files);
      throw new AssertionError(before + " became " + now[0] + ", new or changed: " + more, e);
    }
  }
}
