// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.tez;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
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

/** What the tasks of {@link RowsClient}'s DAG do. Their results differ by no order of arrival. */
public final class RowsTasks {
  /** Begins the line of a task that read sorted rows: its number, rows, and their sum. */
  public static final String SORTED = "sorted";

  /** Begins that of one that read rows as they came. */
  public static final String SUMMED = "summed";

  private RowsTasks() {}

  /** Makes rows, and sends each one both ways. */
  public static final class Generate extends SimpleProcessor {
    public Generate(ProcessorContext context) {
      super(context);
    }

    @Override
    public void run() throws Exception {
      long count = Long.parseLong(payload(getContext()));
      long first = count * getContext().getTaskIndex();
      KeyValueWriter[] writers = new KeyValueWriter[getOutputs().size()];
      int next = 0;
      for (LogicalOutput output : getOutputs().values()) {
        writers[next++] = (KeyValueWriter) output.getWriter();
      }
      Rows rows = new Rows();
      for (long row = first; row < first + count; row++) {
        rows.make(row);
        for (KeyValueWriter writer : writers) {
          writer.write(new BytesWritable(rows.key()), new BytesWritable(rows.value()));
        }
      }
    }
  }

  /** Reads sorted rows, and sends their number and sum. Fails where one is out of order. */
  public static final class Digest extends SimpleProcessor {
    public Digest(ProcessorContext context) {
      super(context);
    }

    @Override
    public void run() throws Exception {
      KeyValuesReader reader = (KeyValuesReader) onlyInput(this).getReader();
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
      send(this, SORTED, rows, sum);
    }
  }

  /** Reads rows as they come, and sends their number and sum. */
  public static final class Sum extends SimpleProcessor {
    public Sum(ProcessorContext context) {
      super(context);
    }

    @Override
    public void run() throws Exception {
      KeyValueReader reader = (KeyValueReader) onlyInput(this).getReader();
      long rows = 0;
      long sum = 0;
      while (reader.next()) {
        sum +=
            Rows.checksum(
                ((BytesWritable) reader.getCurrentKey()).copyBytes(),
                ((BytesWritable) reader.getCurrentValue()).copyBytes());
        rows++;
      }
      send(this, SUMMED, rows, sum);
    }
  }

  /** Writes what the others sent, a line each, into one file. */
  public static final class Report extends SimpleProcessor {
    public Report(ProcessorContext context) {
      super(context);
    }

    @Override
    public void run() throws Exception {
      TreeSet<String> lines = new TreeSet<>();
      for (LogicalInput input : getInputs().values()) {
        KeyValueReader reader = (KeyValueReader) input.getReader();
        while (reader.next()) {
          lines.add(reader.getCurrentKey() + " " + reader.getCurrentValue());
        }
      }
      Path file = new Path(payload(getContext()));
      FileSystem fs = file.getFileSystem(new Configuration());
      try (FSDataOutputStream out = fs.create(file, true)) {
        out.write((String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8));
      }
    }
  }

  private static LogicalInput onlyInput(SimpleProcessor task) {
    return task.getInputs().values().iterator().next();
  }

  private static void send(SimpleProcessor task, String what, long rows, long sum)
      throws Exception {
    LogicalOutput output = task.getOutputs().values().iterator().next();
    ((KeyValueWriter) output.getWriter())
        .write(new Text(what + " " + task.getContext().getTaskIndex()), new Text(rows + " " + sum));
  }

  private static String payload(ProcessorContext context) {
    return StandardCharsets.UTF_8.decode(context.getUserPayload().getPayload()).toString();
  }
}
