// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.shuffle;

import io.temptier.lab.cluster.AskedJvm;
import io.temptier.lab.cluster.HadoopRuntime;
import io.temptier.lab.testbed.MemoryFolder;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** A shuffle handler in a JVM of its own, which ends with this one. */
record HandlerProcess(AskedJvm jvm) implements Closeable {
  /** What Hadoop gives a NodeManager by default. */
  private static final String HEAP = "-Xmx1000m";

  static HandlerProcess start(
      HadoopRuntime runtime,
      Path folder,
      String name,
      Map<String, String> conf,
      UnaryOperator<List<String>> inGroup)
      throws IOException {
    List<Path> classPath = new ArrayList<>(runtime.dropIns());
    classPath.addAll(runtime.jars());
    classPath.add(HadoopRuntime.origin(ShuffleServer.class));
    return new HandlerProcess(
        AskedJvm.start(
            new AskedJvm.Program(
                name, runtime.javaHome(), List.of(HEAP), classPath, ShuffleServer.class, inGroup),
            folder,
            conf));
  }

  int port() throws IOException {
    return Integer.parseInt(jvm.ask(ShuffleServer.PORT));
  }

  /** Begins the peak of {@link #peakMemoryBytes} anew, where the kernel lets us. */
  void forgetPeak() {
    try {
      Files.writeString(proc("clear_refs"), "5");
    } catch (IOException e) {
      // Then the peak is that since its start, which is no less than the one asked for.
      return;
    }
  }

  /** The most memory that was resident since {@link #forgetPeak}. */
  long peakMemoryBytes() throws IOException {
    long peak = MemoryFolder.bytes(proc("status"), "VmHWM");
    if (peak == 0) {
      throw new IOException(proc("status") + " has no VmHWM");
    }
    return peak;
  }

  /** CPU it used since its start, or zero where that is not known. */
  Duration cpu() {
    return jvm.daemon().handle().info().totalCpuDuration().orElse(Duration.ZERO);
  }

  String logTail() {
    return jvm.daemon().tail();
  }

  @Override
  public void close() {
    jvm.close();
  }

  private Path proc(String file) {
    return Path.of("/proc", Long.toString(jvm.daemon().handle().pid()), file);
  }
}
