// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.doctor;

import io.temptier.tier.lang.Immutable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What {@code hadoop-env.sh} and {@code yarn-env.sh} set, read and not run: assignments, in order,
 * with the variables in them. Of a condition, every branch is taken.
 */
final class EnvScripts {
  private static final String CLASSPATH = "HADOOP_CLASSPATH";
  private static final List<String> NAMES = Immutable.listOf("hadoop-env.sh", "yarn-env.sh");
  private static final Pattern ASSIGNMENT =
      Pattern.compile("(?:^|[;&|{]|\\bthen|\\belse|\\bexport)\\s*([A-Za-z_]\\w*)(\\+?)=");
  private static final Pattern ADDED = Pattern.compile("\\bhadoop_add_classpath\\s+");
  private static final Pattern VARIABLE =
      Pattern.compile("\\$(?:(\\w+)|\\{(\\w+)(?:(:?[-+])((?:[^{}$]|\\$\\w+|\\$\\{\\w+\\})*))?\\})");

  private final Map<String, String> set = new HashMap<>();
  private final Map<String, String> origins = new HashMap<>();
  private final List<String> files = new ArrayList<>();
  private final List<String> added = new ArrayList<>();

  private EnvScripts(Path confDir) {
    set.put("HADOOP_CONF_DIR", confDir.toString());
  }

  /**
   * Reads the scripts of a folder. Of this shell's variables {@code HADOOP_CLASSPATH} is left out,
   * since that of the shell that starts the NodeManager is not known.
   */
  static EnvScripts read(Path confDir) {
    EnvScripts scripts = new EnvScripts(confDir);
    for (String name : NAMES) {
      Path script = confDir.resolve(name);
      if (Files.isRegularFile(script)) {
        try {
          scripts.take(name, new String(Files.readAllBytes(script), StandardCharsets.ISO_8859_1));
          scripts.files.add(name);
        } catch (IOException e) {
          // As if it were not there: what it sets is not known.
        }
      }
    }
    return scripts;
  }

  private void take(String file, String script) {
    for (String line : script.replace("\\\n", "").split("\n", -1)) {
      String code = line.trim();
      if (code.startsWith("#")) {
        continue;
      }
      Matcher assignment = ASSIGNMENT.matcher(code);
      while (assignment.find()) {
        String name = String.valueOf(assignment.group(1));
        String value = word(code, assignment.end());
        boolean appends = "+".equals(assignment.group(2));
        set.put(name, appends ? value(name).orElse("") + value : value);
        origins.put(name, file);
      }
      Matcher add = ADDED.matcher(code);
      while (add.find()) {
        added.add(word(code, add.end()));
      }
    }
  }

  /** One word of the shell, its quotes taken off and its variables put in. */
  private String word(String code, int begin) {
    StringBuilder word = new StringBuilder();
    char quote = 0;
    for (int i = begin; i < code.length(); i++) {
      char c = code.charAt(i);
      if (quote == 0 && (Character.isWhitespace(c) || ";&|".indexOf(c) >= 0)) {
        break;
      }
      if (c == quote) {
        quote = 0;
      } else if (quote == 0 && (c == '\'' || c == '"')) {
        quote = c;
      } else if (c == '\\' && i + 1 < code.length()) {
        word.append(code.charAt(++i));
      } else {
        word.append(c);
      }
    }
    return resolve(word.toString());
  }

  /** A text with the variables that are known; the others stay as they are. */
  String resolve(String text) {
    Matcher variable = VARIABLE.matcher(text);
    StringBuffer resolved = new StringBuffer();
    while (variable.find()) {
      String name = variable.group(1) == null ? variable.group(2) : variable.group(1);
      Optional<String> value = value(String.valueOf(name));
      String operator = variable.group(3) == null ? "" : variable.group(3);
      String other = variable.group(4) == null ? "" : variable.group(4);
      String put;
      switch (operator) {
        case ":-":
        case "-":
          put = value.filter(v -> !v.isEmpty()).orElseGet(() -> resolve(other));
          break;
        case ":+":
        case "+":
          put = value.filter(v -> !v.isEmpty()).map(v -> resolve(other)).orElse("");
          break;
        default:
          put = value.orElse(variable.group());
          break;
      }
      variable.appendReplacement(resolved, Matcher.quoteReplacement(put));
    }
    return variable.appendTail(resolved).toString();
  }

  /** The value of a variable; empty when neither the scripts nor this shell know it. */
  Optional<String> value(String name) {
    String value = set.get(name);
    if (value != null) {
      return Optional.of(value);
    }
    switch (name) {
      case CLASSPATH:
        return Optional.of("");
      // That of the container, not of this shell.
      case "PWD":
        return Optional.empty();
      case "HADOOP_COMMON_HOME":
      case "HADOOP_HDFS_HOME":
      case "HADOOP_YARN_HOME":
      case "HADOOP_MAPRED_HOME":
        return System.getenv(name) == null
            ? value("HADOOP_HOME")
            : Optional.ofNullable(System.getenv(name));
      default:
        return Optional.ofNullable(System.getenv(name));
    }
  }

  /** The value that the scripts themselves give a variable. */
  Optional<String> ownValue(String name) {
    return Optional.ofNullable(set.get(name));
  }

  /** The script that gave a variable its value; empty when none did. */
  String originOf(String name) {
    return origins.getOrDefault(name, "");
  }

  /** The names of the scripts that could be read. */
  List<String> files() {
    return files;
  }

  /** What they put on the class path of every daemon, variables put in, as one text. */
  String classPath() {
    List<String> parts = new ArrayList<>();
    parts.add(value(CLASSPATH).orElse(""));
    parts.addAll(added);
    parts.removeIf(String::isEmpty);
    return String.join(":", parts);
  }
}
