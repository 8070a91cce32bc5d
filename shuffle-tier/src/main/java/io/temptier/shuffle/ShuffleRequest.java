// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle;

import com.google.auto.value.AutoValue;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.temptier.shuffle.output.MapOutputId;
import io.temptier.tier.lang.Immutable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.mapred.JobID;
import org.apache.hadoop.mapreduce.task.reduce.ShuffleHeader;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.jspecify.annotations.Nullable;

/** What a fetcher asks for. Not yet checked for who asks. */
@AutoValue
abstract class ShuffleRequest {
  abstract String job();

  abstract int reduce();

  /** The map attempts, in the order to send them. */
  abstract List<String> maps();

  abstract boolean keepAlive();

  static ShuffleRequest of(String job, int reduce, List<String> maps, boolean keepAlive) {
    return new AutoValue_ShuffleRequest(job, reduce, maps, keepAlive);
  }

  /**
   * Reads a request.
   *
   * @throws IllegalArgumentException when it is none; the message is Hadoop's own
   */
  static ShuffleRequest parse(FullHttpRequest request) {
    if (!ShuffleHeader.DEFAULT_HTTP_HEADER_NAME.equals(
            request.headers().get(ShuffleHeader.HTTP_HEADER_NAME))
        || !ShuffleHeader.DEFAULT_HTTP_HEADER_VERSION.equals(
            request.headers().get(ShuffleHeader.HTTP_HEADER_VERSION))) {
      throw new IllegalArgumentException("Incompatible shuffle request version");
    }
    Map<String, List<String>> query = new QueryStringDecoder(request.uri()).parameters();
    List<String> maps = query.get("map");
    List<String> reduces = query.get("reduce");
    List<String> jobs = query.get("job");
    if (maps == null || reduces == null || jobs == null) {
      throw new IllegalArgumentException("Required param job, map and reduce");
    }
    if (reduces.size() != 1 || jobs.size() != 1) {
      throw new IllegalArgumentException("Too many job/reduce parameters");
    }
    int reduce;
    try {
      reduce = Integer.parseInt(reduces.get(0));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("Bad reduce parameter", e);
    }
    return ShuffleRequest.of(jobs.get(0), reduce, split(maps), isTrue(query.get("keepAlive")));
  }

  /** Empty names at the end of a list are dropped, as Hadoop does. */
  private static List<String> split(List<String> lists) {
    List<String> maps = new ArrayList<>();
    for (String list : lists) {
      List<String> names = new ArrayList<>(Arrays.asList(list.split(",", -1)));
      while (names.size() > 1 && names.get(names.size() - 1).isEmpty()) {
        names.remove(names.size() - 1);
      }
      maps.addAll(names);
    }
    return Immutable.copyOf(maps);
  }

  private static boolean isTrue(@Nullable List<String> values) {
    return values != null && values.size() == 1 && Boolean.parseBoolean(values.get(0));
  }

  /**
   * The outputs asked for.
   *
   * @param user whose job it is
   * @throws IllegalArgumentException when the job's id is none
   */
  List<MapOutputId> outputs(String user) {
    JobID id = JobID.forName(job());
    String application =
        ApplicationId.newInstance(Long.parseLong(id.getJtIdentifier()), id.getId()).toString();
    return maps().stream()
        .map(map -> MapOutputId.of(user, application, map))
        .collect(Immutable.toList());
  }

  @Override
  public final String toString() {
    return "shuffle for " + job() + " reducer " + reduce();
  }
}
