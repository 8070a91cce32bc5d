// SPDX-License-Identifier: Apache-2.0
package io.temptier.mapreduce;

import static io.temptier.tier.FileKind.FETCHED_SEGMENT;
import static io.temptier.tier.FileKind.INDEX;
import static io.temptier.tier.FileKind.MAP_OUTPUT;
import static io.temptier.tier.FileKind.MERGE;
import static io.temptier.tier.FileKind.SPILL;

import io.temptier.tier.FileKind;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.compress.DefaultCodec;
import org.apache.hadoop.io.compress.GzipCodec;
import org.apache.hadoop.mapred.LocalJobRunner;
import org.apache.hadoop.mapred.MapOutputFile;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.mapreduce.MRJobConfig;

/**
 * The jobs every placement must run to the same output as stock. Each is there for the files it
 * makes, which {@link #kinds} names. All sort a buffer of 1 MB, the least there is.
 */
enum TestJob {
  /** One spill, which is renamed to be the output. */
  ONE_SPILL(3, 2_000, Set.of(SPILL), conf -> {}),

  /** Several spills, merged in one pass. */
  MANY_SPILLS(2, 30_000, Set.of(SPILL, MAP_OUTPUT), conf -> {}),

  /** Several spills, merged in several passes. */
  MAP_MERGE_PASSES(2, 30_000, Set.of(SPILL, MAP_OUTPUT, MERGE), conf -> factor(conf, 2)),

  /** Indexes of spills on disk rather than in memory. */
  SPILL_INDEXES(
      2,
      30_000,
      Set.of(SPILL, MAP_OUTPUT, INDEX),
      conf -> conf.setInt(JobContext.INDEX_CACHE_MEMORY_LIMIT, 0)),

  /**
   * Every segment is fetched to disk; on-disk merges while fetching and several passes at the end.
   */
  REDUCE_MERGE_PASSES(
      9,
      4_000,
      Set.of(SPILL, FETCHED_SEGMENT, MERGE),
      conf -> {
        reduceMemory(conf, 1 << 20, 0.01f);
        factor(conf, 2);
      }),

  /** Segments are fetched to memory and merged to disk when it is full. */
  REDUCE_MEMORY_MERGES(
      9, 4_000, Set.of(SPILL, FETCHED_SEGMENT), conf -> reduceMemory(conf, 1 << 20, 0.5f)),

  /** A combiner, at spills and at their merge. */
  COMBINER(2, 60_000, Set.of(SPILL, MAP_OUTPUT), conf -> {}) {
    @Override
    void configure(Job job) {
      TestTasks.countWords(job);
    }
  },

  /** Deflate, on both sides and with merge passes. */
  DEFLATE(
      6,
      15_000,
      Set.of(SPILL, MAP_OUTPUT, MERGE, FETCHED_SEGMENT),
      conf -> {
        compress(conf, DefaultCodec.class);
        factor(conf, 2);
        reduceMemory(conf, 1 << 20, 0.01f);
      }),

  /** Gzip, one pass. */
  GZIP(2, 30_000, Set.of(SPILL, MAP_OUTPUT), conf -> compress(conf, GzipCodec.class)),

  /** Encrypted spills, on both sides and with merge passes. */
  ENCRYPTED(
      6,
      15_000,
      Set.of(SPILL, MAP_OUTPUT, MERGE, FETCHED_SEGMENT),
      conf -> {
        encrypt(conf);
        factor(conf, 2);
        reduceMemory(conf, 1 << 20, 0.01f);
      }),

  /** Encrypted and compressed, one spill. */
  ENCRYPTED_DEFLATE(
      2,
      2_000,
      Set.of(SPILL),
      conf -> {
        encrypt(conf);
        compress(conf, DefaultCodec.class);
      }),

  /** No reducers: no temporary file at all. */
  NO_REDUCERS(2, 5_000, Set.of(), conf -> conf.setInt(MRJobConfig.NUM_REDUCES, 0)),

  /** Maps without a record still have an output and an index. */
  NO_RECORDS(2, 0, Set.of(MAP_OUTPUT), conf -> {}),

  /** A record larger than the sort buffer gets a spill of its own. */
  HUGE_RECORD(2, 1_000, Set.of(SPILL, MAP_OUTPUT), conf -> {}) {
    @Override
    void configure(Job job) {
      job.setMapperClass(TestTasks.HugeRecordMapper.class);
    }
  },

  /** Several tasks of both kinds at once in one JVM. */
  PARALLEL(
      6,
      20_000,
      Set.of(SPILL, MAP_OUTPUT, MERGE, FETCHED_SEGMENT),
      conf -> {
        conf.setInt(LocalJobRunner.LOCAL_MAX_MAPS, 4);
        conf.setInt("mapreduce.local.reduce.tasks.maximum", 2);
        factor(conf, 2);
        reduceMemory(conf, 1 << 20, 0.01f);
      }),

  /** Somebody's own map output files, with an allocator of their own. */
  USER_OUTPUT_FILE(
      2,
      30_000,
      Set.of(SPILL, MAP_OUTPUT),
      conf ->
          conf.setClass(
              MRConfig.TASK_LOCAL_OUTPUT_CLASS,
              TestTasks.OwnOutputFile.class,
              MapOutputFile.class));

  private final int maps;
  private final int linesPerMap;
  private final Set<FileKind> kinds;
  private final Consumer<Configuration> settings;

  TestJob(int maps, int linesPerMap, Set<FileKind> kinds, Consumer<Configuration> settings) {
    this.maps = maps;
    this.linesPerMap = linesPerMap;
    this.kinds = kinds;
    this.settings = settings;
  }

  /** How many input files there are, each of {@link #linesPerMap} lines of about 60 bytes. */
  int maps() {
    return maps;
  }

  int linesPerMap() {
    return linesPerMap;
  }

  /** The kinds of temporary files whose dirs are to be chosen by tier, at least. */
  Set<FileKind> kinds() {
    return kinds;
  }

  /** Whether the temporary files come to several megabytes. */
  boolean large() {
    return maps * linesPerMap >= 30_000;
  }

  void configure(Configuration conf) {
    settings.accept(conf);
  }

  /** Sets what is not in a configuration. */
  void configure(Job job) {}

  private static void factor(Configuration conf, int factor) {
    conf.setInt(MRJobConfig.IO_SORT_FACTOR, factor);
  }

  private static void reduceMemory(Configuration conf, int bytes, float largestSegment) {
    conf.setLong(MRJobConfig.REDUCE_MEMORY_TOTAL_BYTES, bytes);
    conf.setFloat(MRJobConfig.SHUFFLE_MEMORY_LIMIT_PERCENT, largestSegment);
  }

  private static void compress(Configuration conf, Class<?> codec) {
    conf.setBoolean(MRJobConfig.MAP_OUTPUT_COMPRESS, true);
    conf.set(MRJobConfig.MAP_OUTPUT_COMPRESS_CODEC, codec.getName());
  }

  private static void encrypt(Configuration conf) {
    conf.setBoolean(MRJobConfig.MR_ENCRYPTED_INTERMEDIATE_DATA, true);
  }
}
