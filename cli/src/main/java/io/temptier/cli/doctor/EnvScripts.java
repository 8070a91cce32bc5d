// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.doctor;

import io.temptier.tier.lang.Immutable;
import io.temptier.tier.lang.Strings;
import io.temptier.tier.os.Io;
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
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Variables that {@code hadoop-env.sh} and {@code yarn-env.sh} set: the scripts are read, not run.
 * Assignments count in order, with the variables in them; of a condition every branch is taken.
 */
final class EnvScripts {
  private static final String CLASSPATH = "HADOOP_CLASSPATH";
  private static final List<String> NAMES = Immutable.listOf("hadoop-env.sh", "yarn-env.sh");
  private static final Pattern COMMAND =
      Pattern.compile(
          "(?:^|[;&|{]|\\bdo|\\bthen|\\belse|\\bexport|(?<==)\\G\\S*\\s)\\s*"
              + "(?:([A-Za-z_]\\w*)(\\+?)=|hadoop_add_classpath\\s+)");
  private static final Pattern VARIABLE =
      Pattern.compile("\\$(?:(\\w+)|\\{(\\w+)(?::?([-+])((?:[^{}$]|\\$\\w+|\\$\\{\\w+\\})*))?\\})");

  private final Map<String, String> set = new HashMap<>();
  private final List<String> added = new ArrayList<>();

  /** The names of the scripts that could be read. */
  final List<String> files = new ArrayList<>();

  /**
   * Reads the scripts of a folder. Of this shell's variables {@code HADOOP_CLASSPATH} is left out,
   * since that of the shell that starts the NodeManager is not known.
   */
  EnvScripts(Path confDir) {
    set.put("HADOOP_CONF_DIR", confDir.toString());
    set.put(CLASSPATH, "");
    for (String name : NAMES) {
      Path script = confDir.resolve(name);
      if (Files.isRegularFile(script)) {
        try {
          take(Io.readString(script, StandardCharsets.ISO_8859_1));
          files.add(name);
        } catch (IOException e) {
          // Ignored: what it sets is not known.
        }
      }
    }
  }

  private void take(String script) {
    // The return of DOS is part of a word to the shell; shown as editors show it.
    for (String line : script.replace("\\\n", "").replace("\r", "^M").split("\n", -1)) {
      String code = line.trim();
      Matcher command = COMMAND.matcher(code.startsWith("#") ? "" : code);
      while (command.find()) {
        String name = command.group(1);
        String word = word(code, command.end());
        if (name == null) {
          added.add(word);
        } else {
          boolean appends = "+".equals(command.group(2));
          set.put(name, appends ? value(name).orElse("") + word : word);
        }
      }
    }
  }

  /** Reads one word of the shell, its quotes taken off and its variables put in. */
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
    return Strings.replaceAll(
        VARIABLE.matcher(text),
        variable -> {
          String name = variable.group(1) == null ? variable.group(2) : variable.group(1);
          Optional<String> value = value(String.valueOf(name));
          Optional<String> filled = value.filter(v -> !v.isEmpty());
          String operator = String.valueOf(variable.group(3));
          String other = String.valueOf(variable.group(4));
          return operator.equals("-")
              ? filled.orElseGet(() -> resolve(other))
              : operator.equals("+")
                  ? filled.map(v -> resolve(other)).orElse("")
                  : value.orElse(variable.group());
        });
  }

  /** The value of a variable; empty when neither the scripts nor this shell know it. */
  Optional<String> value(String name) {
    String value = set.get(name);
    // PWD is that of the container, not of this shell.
    if (value == null && !name.equals("PWD")) {
      value = System.getenv(name);
    }
    boolean part = name.matches("HADOOP_(COMMON|HDFS|YARN|MAPRED)_HOME");
    return value == null && part ? value("HADOOP_HOME") : Optional.ofNullable(value);
  }

  /** Returns the scripts' addition to every daemon's class path, variables put in, as one text. */
  String classPath() {
    return Stream.concat(Stream.of(set.getOrDefault(CLASSPATH, "")), added.stream())
        .filter(part -> !part.isEmpty())
        .collect(Collectors.joining(":"));
  }
}
