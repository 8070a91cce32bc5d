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
package io.temptier.cli.doctor;

import io.temptier.tier.Finding;
import io.temptier.tier.Finding.Severity;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/** Whether tasks will find TempTier's jars. */
final class TaskClasspathCheck implements DoctorCheck {
  private static final Pattern VARIABLE =
      Pattern.compile("\\$\\{?(\\w+)\\}?|\\{\\{(\\w+)\\}\\}|%(\\w+)%");

  private static final String KEY = MRJobConfig.MAPREDUCE_APPLICATION_CLASSPATH;

  private final Map<String, String> environment;

  TaskClasspathCheck(Map<String, String> environment) {
    this.environment = environment;
  }

  @Override
  public Topic topic() {
    return Topic.TASKS;
  }

  @Override
  public List<Finding> check(Rollout rollout) {
    Configuration job = rollout.job();
    List<SwitchOn> switchedOn =
        List.of(SwitchOn.MAP, SwitchOn.REDUCE).stream().filter(s -> s.namedIn(job)).toList();
    List<String> entries = entries(job);
    if (switchedOn.isEmpty() || entries.stream().anyMatch(this::hasJar)) {
      return List.of();
    }
    String value = job.getTrimmed(KEY, "");
    String unresolved =
        entries.stream().anyMatch(entry -> VARIABLE.matcher(resolve(entry)).find())
            ? " Some begin with variables that are not set here, so their folders could not be"
                + " searched: run the doctor where HADOOP_MAPRED_HOME, HADOOP_YARN_HOME and"
                + " HADOOP_COMMON_HOME are set if the jars lie there."
            : "";
    return List.of(
        new Finding(
            Severity.ERROR,
            KEY,
            value,
            rollout.origin(job, KEY),
            "None of its entries, nor of "
                + YarnConfiguration.YARN_APPLICATION_CLASSPATH
                + ", holds TempTier's jars. Every task will fail with ClassNotFoundException: "
                + switchedOn.get(0).className()
                + "."
                + unresolved,
            Paste.into(
                Rollout.MAPRED_SITE,
                KEY,
                (value.isEmpty() ? MRJobConfig.DEFAULT_MAPREDUCE_APPLICATION_CLASSPATH : value)
                    + ",/opt/temptier/lib/*")));
  }

  private static List<String> entries(Configuration job) {
    List<String> entries = new ArrayList<>();
    entries.addAll(List.of(job.getTrimmedStrings(YarnConfiguration.YARN_APPLICATION_CLASSPATH)));
    String[] ofMapReduce = job.getTrimmedStrings(KEY);
    entries.addAll(
        List.of(
            ofMapReduce.length > 0
                ? ofMapReduce
                : MRJobConfig.DEFAULT_MAPREDUCE_APPLICATION_CLASSPATH.split(",")));
    return entries;
  }

  private boolean hasJar(String entry) {
    if (DropInJars.namedIn(entry)) {
      return true;
    }
    String resolved = resolve(entry);
    if (!resolved.endsWith("/*") || VARIABLE.matcher(resolved).find()) {
      return false;
    }
    try {
      return DropInJars.in(Path.of(resolved.substring(0, resolved.length() - 2)));
    } catch (IOException | InvalidPathException e) {
      return false;
    }
  }

  /** The entry with the variables this machine knows. */
  private String resolve(String entry) {
    Matcher matcher = VARIABLE.matcher(entry);
    StringBuilder resolved = new StringBuilder();
    while (matcher.find()) {
      String name = null;
      for (int group = 1; group <= matcher.groupCount() && name == null; group++) {
        name = matcher.group(group);
      }
      String value = environment.get(String.valueOf(name));
      matcher.appendReplacement(
          resolved, Matcher.quoteReplacement(value == null ? matcher.group() : value));
    }
    return matcher.appendTail(resolved).toString();
  }
}
