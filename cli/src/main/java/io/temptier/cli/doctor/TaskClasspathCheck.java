// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.doctor;

import io.temptier.tier.Finding;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/** Whether tasks will find every class that their configuration names. */
final class TaskClasspathCheck implements DoctorCheck {
  /** YARN's own way to write a variable, and Windows'. */
  private static final Pattern VARIABLE = Pattern.compile("\\{\\{(\\w+)\\}\\}|%(\\w+)%");

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
    EnvScripts scripts = EnvScripts.read(rollout.confDir(), environment);
    List<String> entries =
        entries(job).stream()
            .map(entry -> VARIABLE.matcher(entry).replaceAll("\\${$1$2}"))
            .map(scripts::resolve)
            .toList();
    String value = job.getTrimmed(KEY, "");
    return new ClassPathSearch(
            new ClassPath(entries),
            KEY,
            value,
            rollout.origin(job, KEY),
            rollout.isHere(),
            entries.stream().noneMatch(entry -> entry.contains("$")),
            "Every task that needs one fails with ClassNotFoundException. "
                + YarnConfiguration.YARN_APPLICATION_CLASSPATH
                + " was searched, too.",
            "Put the jars on every node before the configuration. "
                + Paste.into(
                    Rollout.MAPRED_SITE,
                    KEY,
                    (value.isEmpty() ? MRJobConfig.DEFAULT_MAPREDUCE_APPLICATION_CLASSPATH : value)
                        + (DropInJars.namedIn(value) ? "" : ",/opt/temptier/lib/*")))
        .lookFor(NamedClass.ofTasks(rollout));
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
}
