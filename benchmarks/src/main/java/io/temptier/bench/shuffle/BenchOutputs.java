// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.shuffle;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;
import java.util.zip.CheckedOutputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.mapred.IFile;
import org.apache.hadoop.mapred.IndexRecord;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.SpillRecord;

/**
 * Map outputs on one disk, written by Hadoop's own classes: {@code file.out} and its index, as a
 * map task leaves them.
 *
 * @param files all that was written, by map: the data, then the index
 */
public record BenchOutputs(int firstMap, List<List<Segment>> segments, List<Path> files) {
  private static final int FILES_PER_MAP = 2;
  private static final int VALUE_BYTES = 1000;

  /** A value, its length, its key, and the lengths of both in the file. */
  private static final int RECORD_BYTES = VALUE_BYTES + 4 + 8 + 4;

  private static final int BUFFER_BYTES = 1 << 20;

  /** Incompressible bytes that values are cut from. */
  private static final int NOISE_BYTES = 4 << 20;

  public BenchOutputs {
    segments = List.copyOf(segments);
    files = List.copyOf(files);
  }

  /**
   * Writes outputs through to the disk.
   *
   * @param segmentBytes how large a partition is, at most
   */
  static BenchOutputs write(
      BenchJob job, Path localDir, int firstMap, int maps, int partitions, int segmentBytes)
      throws IOException {
    JobConf conf = new JobConf();
    byte[] noise = new byte[NOISE_BYTES];
    Random random = new Random(firstMap);
    random.nextBytes(noise);
    List<List<Segment>> segments = new ArrayList<>();
    List<Path> files = new ArrayList<>();
    for (int map = firstMap; map < firstMap + maps; map++) {
      String attempt = job.attempt(map);
      Path dir = Files.createDirectories(job.outputDir(localDir, attempt));
      Path data = dir.resolve("file.out");
      Path index = dir.resolve("file.out.index");
      List<Segment> ofMap = new ArrayList<>();
      SpillRecord record = new SpillRecord(partitions);
      try (OutputStream file =
          new BufferedOutputStream(Files.newOutputStream(data), BUFFER_BYTES)) {
        long offset = 0;
        for (int partition = 0; partition < partitions; partition++) {
          Segment segment = write(conf, file, attempt, partition, segmentBytes, noise, random);
          record.putIndex(
              new IndexRecord(offset, segment.rawLength(), segment.partLength()), partition);
          offset += segment.partLength();
          ofMap.add(segment);
        }
      }
      record.writeToFile(new org.apache.hadoop.fs.Path(index.toString()), conf);
      segments.add(List.copyOf(ofMap));
      files.add(data);
      files.add(index);
    }
    for (Path file : files) {
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
        channel.force(true);
      }
    }
    return new BenchOutputs(firstMap, segments, files);
  }

  /**
   * The same outputs as those of another job: hard links, so that the job begins anew for a handler
   * and the bytes on the disk stay where they are.
   *
   * @return theirs; the files are still the first job's
   */
  BenchOutputs linkedFor(BenchJob job, Path localDir) throws IOException {
    List<List<Segment>> linked = new ArrayList<>();
    for (int i = 0; i < maps(); i++) {
      String attempt = job.attempt(firstMap + i);
      Path dir = Files.createDirectories(job.outputDir(localDir, attempt));
      for (Path file : files.subList(i * FILES_PER_MAP, (i + 1) * FILES_PER_MAP)) {
        Files.createLink(dir.resolve(file.getFileName()), file);
      }
      linked.add(segments.get(i).stream().map(segment -> segment.of(attempt)).toList());
    }
    return new BenchOutputs(firstMap, linked, files);
  }

  BenchOutputs first(int maps) {
    int fewer = Math.min(maps, maps());
    return new BenchOutputs(
        firstMap, segments.subList(0, fewer), files.subList(0, fewer * FILES_PER_MAP));
  }

  long bytes() {
    return segments.stream().flatMap(List::stream).mapToLong(Segment::partLength).sum();
  }

  int maps() {
    return segments.size();
  }

  int partitions() {
    return segments.get(0).size();
  }

  int longest() {
    return segments.stream().flatMap(List::stream).mapToInt(Segment::partLength).max().orElse(0);
  }

  private static Segment write(
      JobConf conf,
      OutputStream file,
      String attempt,
      int partition,
      int segmentBytes,
      byte[] noise,
      Random random)
      throws IOException {
    CheckedOutputStream checked = new CheckedOutputStream(file, new CRC32C());
    FSDataOutputStream out = new FSDataOutputStream(checked, null);
    IFile.Writer<LongWritable, BytesWritable> writer =
        new IFile.Writer<>(conf, out, LongWritable.class, BytesWritable.class, null, null);
    LongWritable key = new LongWritable();
    BytesWritable value = new BytesWritable();
    for (int k = 0; k < segmentBytes / RECORD_BYTES; k++) {
      key.set(k);
      value.set(noise, random.nextInt(noise.length - VALUE_BYTES), VALUE_BYTES);
      writer.append(key, value);
    }
    writer.close();
    out.flush();
    return new Segment(
        attempt,
        partition,
        writer.getRawLength(),
        Math.toIntExact(writer.getCompressedLength()),
        (int) checked.getChecksum().getValue());
  }

  /**
   * One partition of one map output, as it must arrive.
   *
   * @param rawLength bytes before compression
   * @param crc CRC-32C of those
   */
  record Segment(String map, int partition, long rawLength, int partLength, int crc) {
    Segment of(String attempt) {
      return new Segment(attempt, partition, rawLength, partLength, crc);
    }
  }
}
