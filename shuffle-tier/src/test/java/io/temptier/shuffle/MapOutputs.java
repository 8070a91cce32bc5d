// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.IFile;
import org.apache.hadoop.mapred.IndexRecord;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.SpillRecord;

/** Writes map outputs where and how map tasks do. Their content follows from the attempt's name. */
public final class MapOutputs {
  /** In every record of every output, so that its bytes can be recognised anywhere. */
  static final String MARKER = "{bytes-of-a-map-output}";

  public static final String DATA = "file.out";
  public static final String INDEX = "file.out.index";

  private static final JobConf PLAIN =
      PlainLocalFileSystem.use(new JobConf(new Configuration(false)));

  private final List<Path> localDirs;

  public MapOutputs(List<Path> localDirs) {
    this.localDirs = localDirs;
  }

  /**
   * A written output.
   *
   * @param data the data file
   * @param content all of its bytes
   * @param index one record per partition
   */
  @SuppressWarnings("ArrayRecordComponent")
  public record Output(String attempt, Path data, byte[] content, List<IndexRecord> index) {
    public Path indexFile() {
      return data.resolveSibling(INDEX);
    }

    public Path folder() {
      return data.resolveSibling("");
    }

    /** What has to be served for a partition. */
    public WireSegment segment(int reduce) {
      IndexRecord record = index.get(reduce);
      int start = (int) record.startOffset;
      byte[] bytes = new byte[(int) record.partLength];
      System.arraycopy(content, start, bytes, 0, bytes.length);
      return new WireSegment(
          attempt, record.partLength, record.rawLength, reduce, ByteBuffer.wrap(bytes));
    }
  }

  /** As a request names them. */
  public static List<String> attempts(List<Output> outputs) {
    return outputs.stream().map(Output::attempt).toList();
  }

  /** What has to be served for a partition of each. */
  public static List<WireSegment> segments(List<Output> outputs, int reduce) {
    return outputs.stream().map(output -> output.segment(reduce)).toList();
  }

  List<Path> localDirs() {
    return localDirs;
  }

  /** Writes the outputs of maps 0 to count - 1, in turn over the dirs. */
  public List<Output> write(ShuffleJob job, int count, int... partitionBytes) throws IOException {
    List<Output> written = new ArrayList<>(count);
    for (int map = 0; map < count; map++) {
      written.add(write(job, job.attempt(map), map % localDirs.size(), partitionBytes));
    }
    return written;
  }

  /**
   * Writes one output.
   *
   * @param dir number of the local dir
   * @param partitionBytes about how many bytes of values each partition gets; 0 for an empty one
   */
  public Output write(ShuffleJob job, String attempt, int dir, int... partitionBytes)
      throws IOException {
    Path folder = localDirs.get(dir).resolve(job.outputFolder()).resolve(attempt);
    FileSystem local = FileSystem.getLocal(PLAIN).getRaw();
    Path data = folder.resolve(DATA);
    SpillRecord spill = new SpillRecord(partitionBytes.length);
    List<IndexRecord> index = new ArrayList<>();
    try (FSDataOutputStream out = local.create(new org.apache.hadoop.fs.Path(data.toUri()))) {
      for (int reduce = 0; reduce < partitionBytes.length; reduce++) {
        Random random = new Random(31L * attempt.hashCode() + reduce);
        index.add(partition(out, random, partitionBytes[reduce]));
        spill.putIndex(index.get(reduce), reduce);
      }
    }
    spill.writeToFile(new org.apache.hadoop.fs.Path(folder.resolve(INDEX).toUri()), PLAIN);
    return new Output(attempt, data, Files.readAllBytes(data), List.copyOf(index));
  }

  /** The same output once more, under another attempt's name; its files are hard links. */
  public Output link(ShuffleJob job, Output from, String attempt, int dir) throws IOException {
    Path folder = localDirs.get(dir).resolve(job.outputFolder()).resolve(attempt);
    Files.createDirectories(folder);
    Files.createLink(folder.resolve(INDEX), from.indexFile());
    Path data = Files.createLink(folder.resolve(DATA), from.data());
    return new Output(attempt, data, from.content(), from.index());
  }

  private static IndexRecord partition(FSDataOutputStream out, Random random, int bytes)
      throws IOException {
    long start = out.getPos();
    IFile.Writer<Text, BytesWritable> writer =
        new IFile.Writer<>(PLAIN, out, Text.class, BytesWritable.class, null, null);
    for (int left = bytes; left > 0; ) {
      byte[] value = new byte[Math.min(left, 1 << 12)];
      random.nextBytes(value);
      byte[] marker = MARKER.getBytes(US_ASCII);
      System.arraycopy(marker, 0, value, 0, Math.min(marker.length, value.length));
      writer.append(new Text(MARKER + left), new BytesWritable(value));
      left -= value.length;
    }
    writer.close();
    return new IndexRecord(start, writer.getRawLength(), writer.getCompressedLength());
  }

  /**
   * Hadoop's local file system without its chmod, which is a process of its own per file where
   * libhadoop is missing.
   */
  public static final class PlainLocalFileSystem extends LocalFileSystem {
    /** Used by Hadoop, by reflection. */
    public PlainLocalFileSystem() {
      super(new Raw());
    }

    /** Makes every "file:" of these settings one of this class. */
    static <C extends Configuration> C use(C conf) {
      conf.setBoolean("fs.file.impl.disable.cache", true);
      conf.setClass("fs.file.impl", PlainLocalFileSystem.class, LocalFileSystem.class);
      return conf;
    }

    private static final class Raw extends RawLocalFileSystem {
      @Override
      public void setPermission(org.apache.hadoop.fs.Path file, FsPermission permission) {}
    }
  }
}
