// SPDX-License-Identifier: Apache-2.0
package io.temptier.mapreduce;

import java.io.IOException;
import org.apache.hadoop.fs.LocalDirAllocator;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.MROutputFiles;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.lib.reduce.LongSumReducer;

/**
 * Mappers and reducers of the test jobs. Their outputs do not depend on the order in which equal
 * keys meet, which Hadoop leaves open.
 */
final class TestTasks {
  private static final int HUGE_BYTES = 3 << 20;

  private TestTasks() {}

  /** Sorts lines {@code key TAB value} by their keys, which are unique. */
  static void sortLines(Job job) {
    job.setMapperClass(LineMapper.class);
    job.setReducerClass(Reducer.class);
    job.setOutputKeyClass(Text.class);
    job.setOutputValueClass(Text.class);
  }

  /** Counts the first four letters of the lines' keys. */
  static void countWords(Job job) {
    job.setMapperClass(PrefixMapper.class);
    job.setCombinerClass(LongSumReducer.class);
    job.setReducerClass(LongSumReducer.class);
    job.setOutputKeyClass(Text.class);
    job.setOutputValueClass(LongWritable.class);
  }

  /** Splits a line at its tab. */
  public static final class LineMapper extends Mapper<LongWritable, Text, Text, Text> {
    @Override
    protected void map(LongWritable offset, Text line, Context context)
        throws IOException, InterruptedException {
      String[] parts = line.toString().split("\t", 2);
      context.write(new Text(parts[0]), new Text(parts[1]));
    }
  }

  /** As {@link LineMapper}, with a value of 3 MB for every five hundredth line. */
  public static final class HugeRecordMapper extends Mapper<LongWritable, Text, Text, Text> {
    private int lines;

    @Override
    protected void map(LongWritable offset, Text line, Context context)
        throws IOException, InterruptedException {
      String[] parts = line.toString().split("\t", 2);
      String value = parts[1];
      context.write(
          new Text(parts[0]),
          new Text(++lines % 500 == 0 ? value.repeat(HUGE_BYTES / value.length()) : value));
    }
  }

  /** Emits the first four letters of a line. */
  public static final class PrefixMapper extends Mapper<LongWritable, Text, Text, LongWritable> {
    @Override
    protected void map(LongWritable offset, Text line, Context context)
        throws IOException, InterruptedException {
      context.write(new Text(line.toString().substring(0, 4)), new LongWritable(1));
    }
  }

  /** As {@link LineMapper}, until it fails in the middle of its spills. */
  public static final class FailingMapper extends Mapper<LongWritable, Text, Text, Text> {
    private int lines;

    @Override
    protected void map(LongWritable offset, Text line, Context context)
        throws IOException, InterruptedException {
      if (++lines == 25_000) {
        throw new IOException("meant to fail");
      }
      context.write(new Text(line), new Text(line));
    }
  }

  /** Map output files as a user may write them: other names, and an allocator in a final field. */
  public static final class OwnOutputFile extends MROutputFiles {
    private final LocalDirAllocator mine = new LocalDirAllocator(MRConfig.LOCAL_DIR);

    @Override
    public Path getSpillFile(int number) throws IOException {
      return mine.getLocalPathToRead(name(number), getConf());
    }

    @Override
    public Path getSpillFileForWrite(int number, long size) throws IOException {
      return mine.getLocalPathForWrite(name(number), size, getConf());
    }

    private static String name(int number) {
      return "output/own_spill" + number + ".out";
    }
  }
}
