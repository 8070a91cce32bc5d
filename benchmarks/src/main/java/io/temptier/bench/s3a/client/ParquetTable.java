// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.s3a.client;

import java.io.IOException;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
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

/** A Parquet file of twelve columns that do not compress, made and read by Parquet itself. */
final class ParquetTable {
  private static final String NAME = "table.parquet";
  private static final long ROW_GROUP_BYTES = 16L << 20;
  private static final int NUMBERS = 8;
  private static final int TEXTS = 4;
  private static final int TEXT_BYTES = 32;

  /** What a query over a wide table asks for. */
  private static final String PROJECTION =
      "message table { required int64 n1; required int64 n6; required binary t2; }";

  private static final int PROJECTED_BYTES = 2 * Long.BYTES + TEXT_BYTES;

  private ParquetTable() {}

  static long make(FileSystem fs, Path folder, long rows, Random random) throws IOException {
    MessageType schema = schema();
    SimpleGroupFactory groups = new SimpleGroupFactory(schema);
    byte[] text = new byte[TEXT_BYTES];
    try (ParquetWriter<Group> writer =
        ExampleParquetWriter.builder(new Path(folder, NAME))
            .withConf(fs.getConf())
            .withType(schema)
            .withRowGroupSize(ROW_GROUP_BYTES)
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
    return fs.getFileStatus(new Path(folder, NAME)).getLen();
  }

  static long read(FileSystem fs, Path folder, long count, Random random) throws IOException {
    Configuration conf = new Configuration(fs.getConf());
    conf.set(ReadSupport.PARQUET_READ_SCHEMA, PROJECTION);
    long rows = 0;
    for (long i = 0; i < count; i++) {
      try (ParquetReader<Group> reader =
          ParquetReader.builder(new GroupReadSupport(), new Path(folder, NAME))
              .withConf(conf)
              .build()) {
        while (reader.read() != null) {
          rows++;
        }
      }
    }
    if (rows == 0) {
      throw new IOException("no rows in " + new Path(folder, NAME));
    }
    return rows * PROJECTED_BYTES;
  }

  private static MessageType schema() {
    StringBuilder text = new StringBuilder("message table {");
    for (int i = 0; i < NUMBERS; i++) {
      text.append(" required int64 n").append(i).append(';');
    }
    for (int i = 0; i < TEXTS; i++) {
      text.append(" required binary t").append(i).append(';');
    }
    return MessageTypeParser.parseMessageType(text.append(" }").toString());
  }
}
