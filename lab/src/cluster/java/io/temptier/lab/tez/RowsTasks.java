// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.tez;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.Text;
import org.apache.tez.runtime.api.LogicalInput;
import org.apache.tez.runtime.api.LogicalOutput;
import org.apache.tez.runtime.api.ProcessorContext;
import org.apache.tez.runtime.library.api.KeyValueReader;
import org.apache.tez.runtime.library.api.KeyValueWriter;
import org.apache.tez.runtime.library.api.KeyValuesReader;
import org.apache.tez.runtime.library.processor.SimpleProcessor;

/** Tasks of {@link RowsClient}'s DAG. Their results differ by no order of arrival. */
public final class RowsTasks extends SimpleProcessor {
  /** Begins the line of a task that read sorted rows: its number, rows, and their sum. */
  public static final String SORTED = "sorted";

  /** Begins that of one that read rows as they came. */
  public static final String SUMMED = "summed";

  // The vertices, by whose name a task knows what to do.
  static final String GENERATE = "generate";
  static final String DIGEST = "digest";
  static final String SUM = "sum";
  static final String REPORT = "report";

  public RowsTasks(ProcessorContext context) {
    super(context);
  }

  @Override
  public void run() throws Exception {
    switch (getContext().getTaskVertexName()) {
      case GENERATE:
        generate(Long.parseLong(payload()));
        return;
      case DIGEST:
        digest((KeyValuesReader) onlyInput().getReader());
        return;
      case SUM:
        sum((KeyValueReader) onlyInput().getReader());
        return;
      case REPORT:
        report(new Path(payload()));
        return;
      default:
        throw new IllegalStateException(getContext().getTaskVertexName());
    }
  }

  /** Makes rows, and sends each one both ways. */
  private void generate(long count) throws Exception {
    long first = count * getContext().getTaskIndex();
    List<KeyValueWriter> writers = new ArrayList<>();
    for (LogicalOutput output : getOutputs().values()) {
      writers.add((KeyValueWriter) output.getWriter());
    }
    Rows rows = new Rows();
    for (long row = first; row < first + count; row++) {
      rows.make(row);
      for (KeyValueWriter writer : writers) {
        writer.write(new BytesWritable(rows.key()), new BytesWritable(rows.value()));
      }
    }
  }

  /** Reads sorted rows, and sends their number and sum. Fails where one is out of order. */
  private void digest(KeyValuesReader reader) throws Exception {
    long rows = 0;
    long sum = 0;
    byte[] last = new byte[0];
    while (reader.next()) {
      byte[] key = ((BytesWritable) reader.getCurrentKey()).copyBytes();
      if (Arrays.compareUnsigned(last, key) >= 0) {
        throw new IOException("row " + rows + " is out of order");
      }
      last = key;
      for (Object value : reader.getCurrentValues()) {
        sum += Rows.checksum(key, ((BytesWritable) value).copyBytes());
        rows++;
      }
    }
    send(SORTED, rows, sum);
  }

  /** Reads rows as they come, and sends their number and sum. */
  private void sum(KeyValueReader reader) throws Exception {
    long rows = 0;
    long sum = 0;
    while (reader.next()) {
      sum +=
          Rows.checksum(
              ((BytesWritable) reader.getCurrentKey()).copyBytes(),
              ((BytesWritable) reader.getCurrentValue()).copyBytes());
      rows++;
    }
    send(SUMMED, rows, sum);
  }

  /** Writes what the others sent, a line each, into one file. */
  private void report(Path file) throws Exception {
    TreeSet<String> lines = new TreeSet<>();
    for (LogicalInput input : getInputs().values()) {
      KeyValueReader reader = (KeyValueReader) input.getReader();
      while (reader.next()) {
        lines.add(reader.getCurrentKey() + " " + reader.getCurrentValue());
      }
    }
    FileSystem fs = file.getFileSystem(new Configuration());
    try (FSDataOutputStream out = fs.create(file, true)) {
      out.write((String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8));
    }
  }

  private LogicalInput onlyInput() {
    return getInputs().values().iterator().next();
  }

  private void send(String what, long rows, long sum) throws Exception {
    KeyValueWriter writer = (KeyValueWriter) getOutputs().values().iterator().next().getWriter();
    writer.write(new Text(what + " " + getContext().getTaskIndex()), new Text(rows + " " + sum));
  }

  private String payload() {
    return StandardCharsets.UTF_8.decode(getContext().getUserPayload().getPayload()).toString();
  }
}
