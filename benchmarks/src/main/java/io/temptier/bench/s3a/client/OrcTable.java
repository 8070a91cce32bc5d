// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.s3a.client;

import java.io.IOException;
import java.util.Random;
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

/** The same table as {@link ParquetTable}'s, as an ORC file, made and read by ORC itself. */
final class OrcTable {
  private static final String NAME = "table.orc";
  private static final long STRIPE_BYTES = 16L << 20;
  private static final int NUMBERS = 8;
  private static final int TEXTS = 4;
  private static final int TEXT_BYTES = 32;

  /** The columns that {@link ParquetTable} reads: n1, n6, t2. The first is the row itself. */
  private static final int[] PROJECTION = {2, 7, 1 + NUMBERS + 2};

  private static final int PROJECTED_BYTES = 2 * Long.BYTES + TEXT_BYTES;

  private OrcTable() {}

  static long make(FileSystem fs, Path folder, long rows, Random random) throws IOException {
    TypeDescription schema = schema();
    Path file = new Path(folder, NAME);
    try (Writer writer =
        OrcFile.createWriter(
            file,
            OrcFile.writerOptions(fs.getConf())
                .fileSystem(fs)
                .setSchema(schema)
                .stripeSize(STRIPE_BYTES)
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

  static long read(FileSystem fs, Path folder, long count, Random random) throws IOException {
    boolean[] include = new boolean[1 + NUMBERS + TEXTS];
    include[0] = true;
    for (int column : PROJECTION) {
      include[column] = true;
    }
    Path file = new Path(folder, NAME);
    long rows = 0;
    for (long i = 0; i < count; i++) {
      try (Reader reader =
              OrcFile.createReader(file, OrcFile.readerOptions(fs.getConf()).filesystem(fs));
          RecordReader records = reader.rows(reader.options().include(include))) {
        VectorizedRowBatch batch = schema().createRowBatch();
        while (records.nextBatch(batch)) {
          rows += batch.size;
        }
      }
    }
    if (rows == 0) {
      throw new IOException("no rows in " + file);
    }
    return rows * PROJECTED_BYTES;
  }

  private static TypeDescription schema() {
    TypeDescription schema = TypeDescription.createStruct();
    for (int i = 0; i < NUMBERS; i++) {
      schema.addField("n" + i, TypeDescription.createLong());
    }
    for (int i = 0; i < TEXTS; i++) {
      schema.addField("t" + i, TypeDescription.createBinary());
    }
    return schema;
  }
}
