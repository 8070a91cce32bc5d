// SPDX-License-Identifier: Apache-2.0
package io.temptier.spark;

import com.codahale.metrics.MetricRegistry;
import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.apache.spark.SparkConf;
import org.apache.spark.api.plugin.PluginContext;
import org.apache.spark.resource.ResourceInformation;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** What the plugin adds to the start of an executor: once in each JVM, its classes not loaded. */
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 0)
@Measurement(iterations = 1)
@Fork(value = 10, jvmArgsAppend = SparkOnTwoTiers.STOCK_UNLESS_PLUGGED)
@State(Scope.Benchmark)
public class InstallationBenchmark {
  private @Nullable SparkOnTwoTiers tiers;
  private @Nullable AutoCloseable tiering;

  @Setup
  public void startSpark() throws IOException {
    tiers = SparkOnTwoTiers.startUnplugged();
  }

  /** CPU of the whole process, its compiler's and collector's included. */
  @AuxCounters(AuxCounters.Type.EVENTS)
  @State(Scope.Thread)
  public static class Cpu {
    public long cpuMillis;
  }

  /** Begins to place. */
  @Benchmark
  public @Nullable AutoCloseable install(Cpu cpu) throws ReflectiveOperationException {
    long before = processCpuNanos();
    SparkConf conf = Objects.requireNonNull(tiers).spark().getConf();
    AutoCloseable started = SparkTiering.start(new Executor(conf));
    if (started == null) {
      throw new IllegalStateException("stock places the files");
    }
    tiering = started;
    cpu.cpuMillis = TimeUnit.NANOSECONDS.toMillis(processCpuNanos() - before);
    return started;
  }

  private static long processCpuNanos() {
    return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  @TearDown
  public void end() throws Exception {
    if (tiering != null) {
      tiering.close();
    }
    Objects.requireNonNull(tiers).close();
  }

  private record Executor(SparkConf conf, MetricRegistry metricRegistry) implements PluginContext {
    Executor(SparkConf conf) {
      this(conf, new MetricRegistry());
    }

    @Override
    public String executorID() {
      return "1";
    }

    @Override
    public String hostname() {
      return "localhost";
    }

    @Override
    public Map<String, ResourceInformation> resources() {
      return Map.of();
    }

    @Override
    public void send(Object message) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Object ask(Object message) {
      throw new UnsupportedOperationException();
    }
  }
}
