// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.tez;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.Text;
import org.apache.tez.client.TezClient;
import org.apache.tez.common.counters.CounterGroup;
import org.apache.tez.common.counters.TezCounter;
import org.apache.tez.dag.api.DAG;
import org.apache.tez.dag.api.Edge;
import org.apache.tez.dag.api.EdgeProperty;
import org.apache.tez.dag.api.ProcessorDescriptor;
import org.apache.tez.dag.api.TezConfiguration;
import org.apache.tez.dag.api.UserPayload;
import org.apache.tez.dag.api.Vertex;
import org.apache.tez.dag.api.client.DAGClient;
import org.apache.tez.dag.api.client.DAGStatus;
import org.apache.tez.dag.api.client.Progress;
import org.apache.tez.dag.api.client.StatusGetOpts;
import org.apache.tez.runtime.library.conf.OrderedPartitionedKVEdgeConfig;
import org.apache.tez.runtime.library.conf.UnorderedKVEdgeConfig;
import org.apache.tez.runtime.library.conf.UnorderedPartitionedKVEdgeConfig;
import org.apache.tez.runtime.library.partitioner.HashPartitioner;

/**
 * A client of Tez: a session that runs DAGs of ordered and unordered edges, one after the other.
 *
 * <pre>
 *           +- ordered ----- digest -+
 * generate -+                        +- unordered -- report
 *           +- unordered --- sum ----+
 * </pre>
 *
 * <p>It prints a line for its application, for each DAG and for each counter, whose fields are
 * parted by tabs.
 */
public final class RowsClient {
  /** Begins the line of the session: its application. */
  public static final String SESSION = "SESSION";

  /** Begins the line of a DAG: its state, failed and killed attempts, milliseconds. */
  public static final String DAG_ENDED = "DAG";

  /** Begins the line of a counter of a DAG: group, name and value. */
  public static final String COUNTER = "COUNTER";

  public static final int GENERATORS = 4;
  private static final int READERS = 2;

  private RowsClient() {}

  /**
   * Runs it.
   *
   * @param args the report's path, to which each DAG adds its number; rows of each of the four
   *     generators; DAGs; then {@code key=value} of its configuration
   */
  public static void main(String[] args) throws Exception {
    TezConfiguration conf = new TezConfiguration(new Configuration());
    for (int i = 3; i < args.length; i++) {
      int equals = args[i].indexOf('=');
      conf.set(args[i].substring(0, equals), args[i].substring(equals + 1));
    }
    boolean fine = true;
    TezClient session = TezClient.newBuilder("rows", conf).setIsSession(true).build();
    try {
      session.start();
      session.waitTillReady();
      print(SESSION, session.getAppMasterApplicationId());
      for (int i = 0; i < Integer.parseInt(args[2]); i++) {
        long start = System.nanoTime();
        DAGClient running = session.submitDAG(dag("rows" + i, args[0] + i, args[1], conf));
        running.waitForCompletion();
        long millis = (System.nanoTime() - start) / 1_000_000;
        DAGStatus status = running.getDAGStatus(EnumSet.of(StatusGetOpts.GET_COUNTERS));
        Progress progress = status.getDAGProgress();
        print(
            DAG_ENDED,
            status.getState(),
            progress.getFailedTaskAttemptCount(),
            progress.getKilledTaskAttemptCount(),
            millis);
        for (CounterGroup group : status.getDAGCounters()) {
          for (TezCounter counter : group) {
            print(COUNTER, group.getName(), counter.getName(), counter.getValue());
          }
        }
        fine &= status.getState() == DAGStatus.State.SUCCEEDED;
        status.getDiagnostics().forEach(System.out::println);
      }
    } finally {
      session.stop();
    }
    System.exit(fine ? 0 : 1);
  }

  private static void print(Object... fields) {
    String line = Stream.of(fields).map(String::valueOf).collect(Collectors.joining("\t"));
    System.out.println(line);
  }

  private static DAG dag(String name, String report, String rows, Configuration conf) {
    String bytes = BytesWritable.class.getName();
    String text = Text.class.getName();
    String partitioner = HashPartitioner.class.getName();
    Vertex generate = vertex(RowsTasks.GENERATE, rows, GENERATORS);
    Vertex digest = vertex(RowsTasks.DIGEST, "", READERS);
    Vertex sum = vertex(RowsTasks.SUM, "", READERS);
    Vertex end = vertex(RowsTasks.REPORT, report, 1);
    EdgeProperty ordered =
        OrderedPartitionedKVEdgeConfig.newBuilder(bytes, bytes, partitioner)
            .setFromConfiguration(conf)
            .build()
            .createDefaultEdgeProperty();
    EdgeProperty unordered =
        UnorderedPartitionedKVEdgeConfig.newBuilder(bytes, bytes, partitioner)
            .setFromConfiguration(conf)
            .build()
            .createDefaultEdgeProperty();
    EdgeProperty broadcast =
        UnorderedKVEdgeConfig.newBuilder(text, text)
            .setFromConfiguration(conf)
            .build()
            .createDefaultBroadcastEdgeProperty();
    return DAG.create(name)
        .addVertex(generate)
        .addVertex(digest)
        .addVertex(sum)
        .addVertex(end)
        .addEdge(Edge.create(generate, digest, ordered))
        .addEdge(Edge.create(generate, sum, unordered))
        .addEdge(Edge.create(digest, end, broadcast))
        .addEdge(Edge.create(sum, end, broadcast));
  }

  private static Vertex vertex(String name, String payload, int tasks) {
    ByteBuffer bytes = ByteBuffer.wrap(payload.getBytes(StandardCharsets.UTF_8));
    ProcessorDescriptor task = ProcessorDescriptor.create(RowsTasks.class.getName());
    return Vertex.create(name, task.setUserPayload(UserPayload.create(bytes)), tasks);
  }
}
