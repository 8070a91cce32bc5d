// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.temptier.shuffle.output.MapOutputId;
import java.io.IOException;
import java.io.UncheckedIOException;
import javax.crypto.SecretKey;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.JobID;
import org.apache.hadoop.mapred.ShuffleHandler;
import org.apache.hadoop.mapreduce.security.token.JobTokenIdentifier;
import org.apache.hadoop.mapreduce.security.token.JobTokenSecretManager;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.server.api.ApplicationInitializationContext;
import org.apache.hadoop.yarn.server.api.ApplicationTerminationContext;

/** A job as its application master announces it to the NodeManager. */
public record ShuffleJob(String user, int number) {
  private static final long CLUSTER = 1111111111111L;

  public ApplicationId application() {
    return ApplicationId.newInstance(CLUSTER, number);
  }

  JobID id() {
    return new JobID(Long.toString(CLUSTER), number);
  }

  /** Where the job's map outputs lie below each local dir. */
  public String outputFolder() {
    return "usercache/" + user + "/appcache/" + application() + "/output";
  }

  /** What the handler calls an output of the job's. */
  public MapOutputId idOf(MapOutputs.Output output) {
    return MapOutputId.of(user, application().toString(), output.attempt());
  }

  /** Name of a map's first attempt. */
  public String attempt(int map) {
    return "attempt_%d_%04d_m_%06d_0".formatted(CLUSTER, number, map);
  }

  Token<JobTokenIdentifier> token() {
    Text name = new Text(id().toString());
    return new Token<>(
        new JobTokenIdentifier(name).getBytes(),
        ("password of " + name + " of " + user).getBytes(UTF_8),
        JobTokenIdentifier.KIND_NAME,
        name);
  }

  /** What requests are signed with. */
  SecretKey key() {
    return JobTokenSecretManager.createSecretKey(token().getPassword());
  }

  ApplicationInitializationContext start() {
    try {
      return new ApplicationInitializationContext(
          user, application(), ShuffleHandler.serializeServiceData(token()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  ApplicationTerminationContext end() {
    return new ApplicationTerminationContext(application());
  }
}
