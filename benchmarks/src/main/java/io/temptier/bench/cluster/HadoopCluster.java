/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.temptier.bench.cluster;

import java.io.IOException;
import java.util.function.Consumer;

/** A cluster that programs are submitted to, as any client does. */
public interface HadoopCluster {
  /**
   * Runs a client program of Hadoop that submits a job, to its end.
   *
   * @param name for people
   * @param output hears each line that it prints
   * @return of its last job
   * @throws IOException when it cannot be started, or the JobHistoryServer does not know its job
   */
  JobResult program(String name, Consumer<String> output, String mainClass, String... args)
      throws IOException, InterruptedException;

  /**
   * Runs a client program of Hadoop that submits many jobs, to its end.
   *
   * @param deadlineSeconds after which it is ended, with its jobs
   * @param output hears each line that it prints
   * @return also when it failed
   * @throws IOException when it cannot be started, or the ResourceManager does not answer
   * @throws UnsupportedOperationException where others submit jobs, too, which would be taken for
   *     the program's
   */
  BatchResult batch(long deadlineSeconds, Consumer<String> output, String mainClass, String... args)
      throws IOException, InterruptedException;

  /**
   * Runs a command of {@code hdfs dfs}.
   *
   * @throws IOException when it fails; the message has its output
   */
  void fs(String... args) throws IOException, InterruptedException;

  /**
   * Kills an application, by Hadoop's own client.
   *
   * @param id such as {@code application_1_0001}
   * @throws IOException when the client cannot be started
   */
  void kill(String id) throws IOException, InterruptedException;
}
