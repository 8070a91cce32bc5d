// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.s3a.client;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.temptier.lab.process.ParentWatch;
import java.io.IOException;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageStatistics;

/**
 * The program of an arm's JVM. It answers each {@link Request} with an {@link RequestResult}, as
 * JSON of a line, until nobody asks any more.
 */
public final class S3aClient {
  /** What the stream took from the store: read, skipped over, or read to its end for nothing. */
  private static final String BYTES = "stream_read_total_bytes";

  /** Requests for objects, those that streams make ahead of their readers included. */
  private static final String REQUESTS = "action_http_get_request";

  private static final ObjectMapper MAPPER = new ObjectMapper();

  private S3aClient() {}

  /**
   * What an arm is asked to do.
   *
   * @param count how much of it; each {@link Work} says of what
   * @param seed of what is random in it: the same for all arms, so that they do the same
   */
  public record Request(Work work, long count, long seed, String folder) {}

  /**
   * What came of a request.
   *
   * @param bytes that were wanted: read by the reader, or written
   * @param storeBytes that the stream took from the store for them, 0 when it does not say
   * @param requests for objects that it took, 0 when the file system does not count them
   * @param failure why it failed, or empty
   */
  public record RequestResult(
      long nanos, long bytes, long storeBytes, long requests, String failure) {
    public static RequestResult failed(String why) {
      return new RequestResult(0, 0, 0, 0, why);
    }
  }

  /**
   * Serves.
   *
   * @param args the configuration's file, and the port of who asks
   */
  public static void main(String[] args) throws IOException {
    Configuration conf = new Configuration();
    conf.addResource(new Path(args[0]));
    ParentWatch.answer(Integer.parseInt(args[1]), line -> answer(conf, line));
    System.exit(0);
  }

  private static String answer(Configuration conf, String line) {
    try {
      return MAPPER.writeValueAsString(answer(conf, MAPPER.readValue(line, Request.class)));
    } catch (IOException e) {
      throw new IllegalArgumentException(line, e);
    }
  }

  private static RequestResult answer(Configuration conf, Request request) {
    try {
      Path folder = new Path(request.folder());
      FileSystem fs = folder.getFileSystem(conf);
      Random random = new Random(request.seed());
      long bytesBefore = statistic(fs, BYTES);
      long requestsBefore = statistic(fs, REQUESTS);
      long start = System.nanoTime();
      long bytes = request.work().run(fs, folder, request.count(), random);
      long nanos = System.nanoTime() - start;
      return new RequestResult(
          nanos,
          bytes,
          statistic(fs, BYTES) - bytesBefore,
          statistic(fs, REQUESTS) - requestsBefore,
          "");
    } catch (Exception | LinkageError e) {
      e.printStackTrace();
      return RequestResult.failed(e.toString());
    }
  }

  private static long statistic(FileSystem fs, String name) {
    StorageStatistics statistics = fs.getStorageStatistics();
    Long value = statistics.isTracked(name) ? statistics.getLong(name) : null;
    return value == null ? 0 : value;
  }
}
