// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.spark;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.OutputStream;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.hadoop.examples.terasort.TeraOutputFormat;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.Text;
import org.apache.spark.BarrierTaskContext;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.storage.StorageLevel;
import org.jspecify.annotations.Nullable;
import scala.Tuple2;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;
import scala.runtime.AbstractFunction1;

/**
 * The {@code main} of an application that shuffles, spills and caches rows it makes itself, step by
 * step. Whatever order its tasks end in, its digests are the same.
 *
 * <p>It prints lines whose fields are parted by tabs: {@value #APPLICATION} and its id, {@value
 * #STEP} with a step's name, digest and milliseconds, and in the end {@value TaskCounts#TASKS}.
 */
public final class SparkWork {
  /** Begins the line of the application: its id. */
  public static final String APPLICATION = "APPLICATION";

  /** Begins the line of a step that is done: its name, digest, and how long it took, in ms. */
  public static final String STEP = "STEP";

  /** An argument in place of a path: no report is written. */
  public static final String NO_REPORT = "-";

  private static final int KEY_BYTES = 10;
  private static final int VALUE_BYTES = 90;
  private static final int GROUPS = 5_000;

  /**
   * More than {@code spark.shuffle.sort.bypassMergeThreshold}, so that Spark sorts by partition.
   */
  private static final int MANY_PARTITIONS = 210;

  private static final long IDLE_POLL_MILLIS = 200;
  private static final long IDLE_DEADLINE_MILLIS = 900_000;

  private final JavaSparkContext context;
  private final int maps;
  private final int rows;
  private final int reduces;
  private final List<String> report = new ArrayList<>();

  /** Kept between steps: as long as it is, so is its shuffle. */
  private @Nullable JavaPairRDD<Long, byte[]> sorted;

  private SparkWork(JavaSparkContext context, int maps, int rows, int reduces) {
    this.context = context;
    this.maps = maps;
    this.rows = rows;
    this.reduces = reduces;
  }

  /**
   * Runs it.
   *
   * @param args where in the cluster's file system it reports, or {@value #NO_REPORT}; partitions
   *     that rows are made in; rows of each; partitions that they are shuffled to; and the steps:
   *     {@code sort} (once more it reads the same shuffle), {@code idle} (waits until no executor
   *     is left; {@code idle:1}: until one is), {@code await:FILE} (waits until it is there),
   *     {@code cache}, {@code group}, {@code repartition}, {@code barrier} (tasks that wait for
   *     each other), {@code sql}, {@code distribute} (a query that shuffles its rows once), {@code
   *     drop} (forgets the sort's shuffle), {@code terasort:FROM:TO} (sorts TeraGen's rows in the
   *     cluster's file system), {@code tpcds-tables:FOLDER:SALES} and {@code tpcds:FOLDER:QUERY},
   *     see {@link TpcdsWork}
   */
  public static void main(String[] args) throws Exception {
    JavaSparkContext context = new JavaSparkContext(new SparkConf());
    TaskCounts counts = new TaskCounts();
    context.sc().addSparkListener(counts);
    SparkWork work =
        new SparkWork(
            context,
            Integer.parseInt(args[1]),
            Integer.parseInt(args[2]),
            Integer.parseInt(args[3]));
    work.say(APPLICATION, context.sc().applicationId());
    try {
      for (String step : List.of(args).subList(4, args.length)) {
        long start = System.nanoTime();
        String digest = work.run(step);
        work.say(STEP, step, digest, (System.nanoTime() - start) / 1_000_000);
      }
    } finally {
      // Else the last tasks are not counted yet.
      context.sc().listenerBus().waitUntilEmpty();
      work.say(counts.fields());
      if (!args[0].equals(NO_REPORT)) {
        work.write(new Path(args[0]));
      }
      context.stop();
    }
    if (List.of(args).contains("barrier")) {
      // Spark's timer of barriers goes on, and with it the driver.
      System.exit(0);
    }
  }

  private String run(String step) throws IOException, InterruptedException {
    String[] given = step.split(":", -1);
    switch (given[0]) {
      case "sort":
        return sort();
      case "idle":
        return idle(given.length == 1 ? 0 : Integer.parseInt(given[1]));
      case "await":
        return await(java.nio.file.Path.of(given[1]));
      case "cache":
        return cache();
      case "group":
        return group();
      case "repartition":
        return repartition();
      case "barrier":
        return barrier();
      case "sql":
        return new SqlWork(context.sc(), (long) maps * rows, maps, reduces).digest();
      case "distribute":
        return new SqlWork(context.sc(), (long) maps * rows, maps, reduces)
            .distribute((long) maps * rows, maps);
      case "drop":
        return drop();
      case "terasort":
        return teraSort(given[1], given[2]);
      case "tpcds-tables":
        return new TpcdsWork(context.sc(), given[1], reduces).make(Long.parseLong(given[2]), maps);
      case "tpcds":
        return new TpcdsWork(context.sc(), given[1], reduces).query(given[2]);
      default:
        throw new IllegalArgumentException("there is no step " + step);
    }
  }

  private String sort() {
    JavaPairRDD<Long, byte[]> now = sorted;
    if (now == null) {
      now = rows(0, maps, rows).sortByKey(true, reduces);
      sorted = now;
    }
    return digest(now.mapPartitions(SparkWork::checkOrder).collect());
  }

  /** Makes the same rows for the same seed, wherever and however often. */
  private JavaPairRDD<Long, byte[]> rows(int seed, int partitions, int each) {
    List<Integer> numbers = IntStream.range(0, partitions).boxed().collect(Collectors.toList());
    return context
        .parallelize(numbers, partitions)
        .flatMapToPair(
            number -> {
              SplittableRandom random = new SplittableRandom(((long) seed << 32) + number);
              return LongStream.range(0, each)
                  .mapToObj(row -> new Tuple2<>(random.nextLong(), value(random)))
                  .iterator();
            });
  }

  private static byte[] value(SplittableRandom random) {
    byte[] value = new byte[VALUE_BYTES];
    random.nextBytes(value);
    return value;
  }

  private static Iterator<Long> checkOrder(Iterator<Tuple2<Long, byte[]>> partition) {
    long count = 0;
    long hash = 0;
    long last = Long.MIN_VALUE;
    while (partition.hasNext()) {
      Tuple2<Long, byte[]> row = partition.next();
      if (row._1() < last) {
        throw new IllegalStateException("row " + count + " is out of order");
      }
      last = row._1();
      count++;
      hash = 31 * hash + last + sum(row._2());
    }
    return List.of(count, hash).iterator();
  }

  private static long sum(byte[] value) {
    long sum = 0;
    for (byte one : value) {
      sum += one;
    }
    return sum;
  }

  /** A hash of results in their order. */
  static String digest(List<?> results) {
    return Integer.toHexString(results.hashCode());
  }

  /** Dynamic allocation takes the executors; their files are the shuffle service's then. */
  private String idle(int left) throws InterruptedException {
    await(() -> context.sc().getExecutorIds().size() <= left, "more executors are left");
    return "none";
  }

  private static String await(java.nio.file.Path file) throws InterruptedException {
    await(() -> Files.exists(file), "nobody made " + file);
    return "there";
  }

  private static void await(BooleanSupplier wanted, String fault) throws InterruptedException {
    long end = System.currentTimeMillis() + IDLE_DEADLINE_MILLIS;
    while (!wanted.getAsBoolean()) {
      if (System.currentTimeMillis() > end) {
        throw new IllegalStateException(fault);
      }
      Thread.sleep(IDLE_POLL_MILLIS);
    }
  }

  private String cache() {
    JavaPairRDD<Long, byte[]> cached = rows(1, maps, rows).persist(StorageLevel.DISK_ONLY());
    long all = cached.count();
    long some = cached.filter(row -> row._2()[0] == 7).count();
    cached.unpersist(true);
    return digest(List.of(all, some));
  }

  private String group() {
    return digest(sums(rows(2, maps, rows)));
  }

  /** Sums each group, whatever order the rows are in. */
  private List<Long> sums(JavaPairRDD<Long, byte[]> from) {
    return from.mapToPair(row -> new Tuple2<>(Math.floorMod(row._1(), (long) GROUPS), row._2()))
        .groupByKey(reduces)
        .mapToPair(
            group -> {
              long sum = 0;
              for (byte[] value : group._2()) {
                sum += sum(value);
              }
              return new Tuple2<>(group._1(), sum);
            })
        .sortByKey()
        .values()
        .collect();
  }

  private String repartition() {
    List<Long> sums =
        rows(3, maps, rows)
            .repartition(MANY_PARTITIONS)
            .mapToPair(row -> new Tuple2<>(0, sum(row._2())))
            .reduceByKey(Long::sum, reduces)
            .values()
            .collect();
    return digest(sums);
  }

  /** Two tasks that run at once, read a shuffle, meet, and write another. */
  private String barrier() {
    ClassTag<Tuple2<Long, byte[]>> tag = ClassTag$.MODULE$.apply(Tuple2.class);
    RDD<Tuple2<Long, byte[]>> met =
        JavaPairRDD.toRDD(rows(4, maps, rows).repartition(2))
            .barrier()
            .mapPartitions(new Meeting(), false, tag);
    return digest(sums(new JavaRDD<>(met, tag).mapToPair(row -> row)));
  }

  /** Waits until all tasks of the stage are there. */
  private static final class Meeting
      extends AbstractFunction1<
          scala.collection.Iterator<Tuple2<Long, byte[]>>,
          scala.collection.Iterator<Tuple2<Long, byte[]>>>
      implements Serializable {
    private static final long serialVersionUID = 1;

    @Override
    public scala.collection.Iterator<Tuple2<Long, byte[]>> apply(
        scala.collection.Iterator<Tuple2<Long, byte[]>> rows) {
      BarrierTaskContext.get().barrier();
      return rows;
    }
  }

  /** Drops the last reference, so that Spark's cleaner takes the shuffle. */
  private String drop() {
    sorted = null;
    System.gc();
    return "none";
  }

  private String teraSort(String from, String to) {
    context
        .binaryRecords(from, KEY_BYTES + VALUE_BYTES)
        // Texts are no Java objects to be sent; in Latin-1 a string is ordered as its bytes are.
        .mapToPair(row -> new Tuple2<>(new String(row, 0, KEY_BYTES, ISO_8859_1), value(row)))
        .sortByKey(true, reduces)
        .mapToPair(row -> new Tuple2<>(new Text(row._1().getBytes(ISO_8859_1)), new Text(row._2())))
        .saveAsNewAPIHadoopFile(to, Text.class, Text.class, TeraOutputFormat.class);
    return "written";
  }

  private static byte[] value(byte[] row) {
    return Arrays.copyOfRange(row, KEY_BYTES, row.length);
  }

  private void say(Object... fields) {
    String line = Stream.of(fields).map(String::valueOf).collect(Collectors.joining("\t"));
    System.out.println(line);
    report.add(line);
  }

  /** Writes the report: where standard output is a container's, nobody sees it. */
  private void write(Path path) throws IOException {
    FileSystem fs = path.getFileSystem(context.hadoopConfiguration());
    try (OutputStream out = fs.create(path, true)) {
      out.write((String.join("\n", report) + "\n").getBytes(StandardCharsets.UTF_8));
    }
  }
}
