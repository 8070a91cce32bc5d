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
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;

/**
 * Whether the NodeManager will find TempTier's jars, as far as the scripts beside the site files
 * tell: where there are none, its class path is set somewhere else.
 */
final class NodeClasspathCheck implements DoctorCheck {
  private static final String VARIABLE = "HADOOP_CLASSPATH";
  private static final List<String> SCRIPTS = List.of("hadoop-env.sh", "yarn-env.sh");
  private static final List<String> HOMES =
      List.of("HADOOP_HOME", "HADOOP_COMMON_HOME", "HADOOP_YARN_HOME");
  private static final List<String> FOLDERS = List.of("common", "common/lib", "yarn", "yarn/lib");

  private final Map<String, String> environment;

  NodeClasspathCheck(Map<String, String> environment) {
    this.environment = environment;
  }

  @Override
  public Topic topic() {
    return Topic.NODE_MANAGER;
  }

  @Override
  public List<Finding> check(Rollout rollout) {
    Configuration node = rollout.node();
    List<SwitchOn> switchedOn =
        List.of(SwitchOn.NODE_MANAGER, SwitchOn.SHUFFLE).stream()
            .filter(s -> s.namedIn(node))
            .toList();
    List<Path> scripts = scripts(rollout);
    if (switchedOn.isEmpty() || scripts.isEmpty() || found(scripts)) {
      return List.of();
    }
    return List.of(
        new Finding(
            Severity.WARNING,
            VARIABLE,
            environment.getOrDefault(VARIABLE, ""),
            String.join(", ", scripts.stream().map(s -> s.getFileName() + "").toList()),
            "Nothing here puts TempTier's jars on the NodeManager's class path. Unless they are"
                + " there by other means it will not start (ClassNotFoundException: "
                + switchedOn.get(0).className()
                + ").",
            "Put into yarn-env.sh:\nexport HADOOP_CLASSPATH="
                + "\"${HADOOP_CLASSPATH:+$HADOOP_CLASSPATH:}/opt/temptier/lib/*\""));
  }

  private static List<Path> scripts(Rollout rollout) {
    List<Path> scripts = new ArrayList<>();
    if (!rollout.files().isEmpty()) {
      Path site = rollout.files().get(0).path();
      SCRIPTS.stream().map(site::resolveSibling).filter(Files::isReadable).forEach(scripts::add);
    }
    return scripts;
  }

  private boolean found(List<Path> scripts) {
    if (DropInJars.namedIn(environment.getOrDefault(VARIABLE, ""))) {
      return true;
    }
    try {
      for (Path script : scripts) {
        if (Files.readString(script)
            .lines()
            .anyMatch(line -> !line.isBlank() && !isComment(line) && DropInJars.namedIn(line))) {
          return true;
        }
      }
      return amongHadoops();
    } catch (IOException | InvalidPathException e) {
      // Cannot be told.
      return true;
    }
  }

  private static boolean isComment(String line) {
    return line.stripLeading().startsWith("#");
  }

  private boolean amongHadoops() throws IOException {
    for (String home : HOMES) {
      String path = environment.getOrDefault(home, "");
      for (String folder : FOLDERS) {
        if (!path.isEmpty() && DropInJars.in(Path.of(path, "share/hadoop", folder))) {
          return true;
        }
      }
    }
    return false;
  }
}
