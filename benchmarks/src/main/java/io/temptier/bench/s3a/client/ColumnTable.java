// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.s3a.client;

import java.io.IOException;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.orc.CompressionKind;
import org.apache.orc.OrcFile;
import org.apache.orc.Reader;
import org.apache.orc.RecordReader;
import org.apache.orc.TypeDescription;
import org.apache.orc.Writer;
import org.apache.orc.storage.ql.exec.vector.BytesColumnVector;
import org.apache.orc.storage.ql.exec.vector.LongColumnVector;
import org.apache.orc.storage.ql.exec.vector.VectorizedRowBatch;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroupFactory;
import org.apache.parquet.hadoop.ParquetReader;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.api.ReadSupport;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.hadoop.example.GroupReadSupport;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;

/**
 * A table of twelve columns that do not compress, as a Parquet file and as an ORC file, each made
 * and read by its own library. Of the columns n1, n6 and t2 are read, as a query over a wide table
 * asks for.
 */
final class ColumnTable {
  /** Of a row group, and of a stripe. */
  private static final long GROUP_BYTES = 16L << 20;

  private static final int NUMBERS = 8;
  private static final int TEXTS = 4;
  private static final int TEXT_BYTES = 32;
  private static final String PARQUET_PROJECTION =
      "message table { required int64 n1; required int64 n6; required binary t2; }";

  /** The first is the row itself. */
  private static final int[] ORC_PROJECTION = {0, 2, 7, 1 + NUMBERS + 2};

  private static final int PROJECTED_BYTES = 2 * Long.BYTES + TEXT_BYTES;

  private ColumnTable() {}

  private static Path parquet(Path folder) {
    return new Path(folder, "table.parquet");
  }

  private static Path orc(Path folder) {
    return new Path(folder, "table.orc");
  }

  static long makeParquet(FileSystem fs, Path folder, long rows, Random random) throws IOException {
    MessageType schema = parquetSchema();
    SimpleGroupFactory groups = new SimpleGroupFactory(schema);
    byte[] text = new byte[TEXT_BYTES];
    try (ParquetWriter<Group> writer =
        ExampleParquetWriter.builder(parquet(folder))
            .withConf(fs.getConf())
            .withType(schema)
            .withRowGroupSize(GROUP_BYTES)
            .withCompressionCodec(CompressionCodecName.UNCOMPRESSED)
            .withDictionaryEncoding(false)
            .build()) {
      for (long row = 0; row < rows; row++) {
        Group group = groups.newGroup();
        for (int i = 0; i < NUMBERS; i++) {
          group.append("n" + i, random.nextLong());
        }
        for (int i = 0; i < TEXTS; i++) {
          random.nextBytes(text);
          group.append("t" + i, Binary.fromReusedByteArray(text.clone()));
        }
        writer.write(group);
      }
    }
    return fs.getFileStatus(parquet(folder)).getLen();
  }

  static long readParquet(FileSystem fs, Path folder, long count, Random random)
      throws IOException {
    Configuration conf = new Configuration(fs.getConf());
    conf.set(ReadSupport.PARQUET_READ_SCHEMA, PARQUET_PROJECTION);
    long rows = 0;
    for (long i = 0; i < count; i++) {
      try (ParquetReader<Group> reader =
          ParquetReader.builder(new GroupReadSupport(), parquet(folder)).withConf(conf).build()) {
        while (reader.read() != null) {
          rows++;
        }
      }
    }
    return projectedBytes(rows, parquet(folder));
  }

  private static long projectedBytes(long rows, Path file) throws IOException {
    if (rows == 0) {
      throw new IOException("no rows in " + file);
    }
    return rows * PROJECTED_BYTES;
  }

  private static MessageType parquetSchema() {
    return MessageTypeParser.parseMessageType(
        "message table { " + columns("required int64 n%d;", "required binary t%d;", " ") + " }");
  }

  /** Declares the columns, numbers before texts, by what declares one of each. */
  private static String columns(String number, String text, String separator) {
    return Stream.concat(
            IntStream.range(0, NUMBERS).mapToObj(number::formatted),
            IntStream.range(0, TEXTS).mapToObj(text::formatted))
        .collect(Collectors.joining(separator));
  }

  static long makeOrc(FileSystem fs, Path folder, long rows, Random random) throws IOException {
    TypeDescription schema = orcSchema();
    Path file = orc(folder);
    try (Writer writer =
        OrcFile.createWriter(
            file,
            OrcFile.writerOptions(fs.getConf())
                .fileSystem(fs)
                .setSchema(schema)
                .stripeSize(GROUP_BYTES)
                .compress(CompressionKind.NONE))) {
      VectorizedRowBatch batch = schema.createRowBatch();
      for (long row = 0; row < rows; row++) {
        int at = batch.size++;
        for (int i = 0; i < NUMBERS; i++) {
          ((LongColumnVector) batch.cols[i]).vector[at] = random.nextLong();
        }
        for (int i = 0; i < TEXTS; i++) {
          byte[] text = new byte[TEXT_BYTES];
          random.nextBytes(text);
          ((BytesColumnVector) batch.cols[NUMBERS + i]).setRef(at, text, 0, TEXT_BYTES);
        }
        if (batch.size == batch.getMaxSize()) {
          writer.addRowBatch(batch);
          batch.reset();
        }
      }
      writer.addRowBatch(batch);
    }
    return fs.getFileStatus(file).getLen();
  }

  static long readOrc(FileSystem fs, Path folder, long count, Random random) throws IOException {
    boolean[] include = new boolean[1 + NUMBERS + TEXTS];
    for (int column : ORC_PROJECTION) {
      include[column] = true;
    }
    Path file = orc(folder);
    long rows = 0;
    for (long i = 0; i < count; i++) {
      try (Reader reader =
              OrcFile.createReader(file, OrcFile.readerOptions(fs.getConf()).filesystem(fs));
          RecordReader records = reader.rows(reader.options().include(include))) {
        VectorizedRowBatch batch = orcSchema().createRowBatch();
        while (records.nextBatch(batch)) {
          rows += batch.size;
        }
      }
    }
    return projectedBytes(rows, file);
  }

  private static TypeDescription orcSchema() {
    return TypeDescription.fromString("struct<" + columns("n%d:bigint", "t%d:binary", ",") + ">");
  }
}
