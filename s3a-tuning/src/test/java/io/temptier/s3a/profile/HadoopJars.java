// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.profile;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;

/** The jars of one version of Hadoop, read without running anything of it. */
final class HadoopJars {
  private static final List<String> ARTIFACTS =
      List.of("hadoop-aws", "hadoop-common", "hadoop-mapreduce-client-core");

  /** Where hadoop-aws and what it builds on name their properties. */
  private static final List<String> CONSTANTS =
      List.of(
          "org.apache.hadoop.fs.s3a.Constants",
          "org.apache.hadoop.fs.s3a.audit.S3AAuditConstants",
          "org.apache.hadoop.fs.s3a.commit.CommitConstants",
          "org.apache.hadoop.fs.s3a.commit.InternalCommitterConstants",
          "org.apache.hadoop.fs.s3a.auth.delegation.DelegationConstants",
          "org.apache.hadoop.fs.Options$OpenFileOptions",
          "org.apache.hadoop.mapreduce.lib.output.PathOutputCommitterFactory");

  /** What matters to S3A's users; a name that ends in a dot is a prefix of others. */
  private static final Pattern KEY =
      Pattern.compile(
          "(fs\\.s3a|fs\\.option\\.openfile|mapreduce\\.outputcommitter"
              + "|mapreduce\\.fileoutputcommitter|mapreduce\\.job\\.heap)\\.[^%]*[^.%]");

  /** A constant of the compiler's in the class that uses it. */
  private static final String OF_LINES = "mapreduce.job.input.file.option.";

  private static final String STREAM_TYPE = "fs.s3a.input.stream.type";

  private final List<Path> jars = new ArrayList<>();

  HadoopJars(String version) {
    List<String> names = new ArrayList<>();
    ARTIFACTS.forEach(artifact -> names.add(artifact + "-" + version));
    if (version.compareTo("3.4.2") < 0) {
      // Later ones do without.
      names.add("commons-collections-3.2.2");
    }
    for (String name : names) {
      Path jar = Path.of("target", "hadoop-jars", name + ".jar");
      if (!Files.exists(jar)) {
        throw new AssertionError(
            jar + " is missing: Maven copies it in generate-test-resources of s3a-tuning");
      }
      jars.add(jar);
    }
  }

  /** Every property, with its default or an empty text. */
  SortedMap<String, String> keys() throws Exception {
    SortedMap<String, String> keys = new TreeMap<>();
    try (URLClassLoader loader = loader()) {
      for (String name : CONSTANTS) {
        readConstants(Class.forName(name, true, loader), keys);
      }
      for (String name : List.of("core-default.xml", "mapred-default.xml")) {
        readDefaults(loader, name, keys);
      }
      if (readsPrefix(loader)) {
        keys.put(OF_LINES + "fs.option.openfile.read.policy", "");
      }
      if ("default".equals(keys.get(STREAM_TYPE))) {
        keys.put(STREAM_TYPE, defaultStream(loader));
      }
    }
    return keys;
  }

  /** The version's own Hadoop; the libraries under it are those of this build. */
  private URLClassLoader loader() throws Exception {
    List<URL> urls = new ArrayList<>();
    for (Path jar : jars) {
      urls.add(jar.toUri().toURL());
    }
    String separator = System.getProperty("path.separator", ":");
    for (String entry : System.getProperty("java.class.path", "").split(separator, -1)) {
      if (ARTIFACTS.stream().noneMatch(entry::contains)) {
        urls.add(Path.of(entry).toUri().toURL());
      }
    }
    return new URLClassLoader(urls.toArray(new URL[0]), ClassLoader.getPlatformClassLoader());
  }

  private static void readConstants(Class<?> constants, Map<String, String> keys)
      throws IllegalAccessException {
    Map<String, String> values = new HashMap<>();
    for (Field field : constants.getFields()) {
      if (Modifier.isStatic(field.getModifiers()) && !field.getType().isArray()) {
        values.put(field.getName(), String.valueOf(field.get(null)));
      }
    }
    values.forEach(
        (name, value) -> {
          if (KEY.matcher(value).matches() && !name.contains("DEFAULT")) {
            String fallback = values.getOrDefault(name + "_DEFAULT", "");
            keys.put(value, values.getOrDefault("DEFAULT_" + name, fallback));
          }
        });
  }

  /** Whether Hadoop's reader of lines hands properties on to the file it opens. */
  private static boolean readsPrefix(ClassLoader loader) throws IOException {
    try (InputStream in =
        loader.getResourceAsStream(
            "org/apache/hadoop/mapreduce/lib/input/LineRecordReader.class")) {
      return in != null
          && new String(in.readAllBytes(), StandardCharsets.ISO_8859_1).contains(OF_LINES);
    }
  }

  private static void readDefaults(ClassLoader loader, String name, Map<String, String> keys)
      throws Exception {
    Configuration defaults = new Configuration(false);
    try (InputStream in = loader.getResourceAsStream(name)) {
      defaults.addResource(in, name);
      int unused = defaults.size();
    }
    for (Map.Entry<String, String> property : defaults) {
      if (KEY.matcher(property.getKey()).matches()) {
        String value = String.valueOf(defaults.getRaw(property.getKey()));
        keys.put(property.getKey(), value.strip().replaceAll("\\s+", " "));
      }
    }
  }

  /** What "default" stands for is a constant of an enum, which has the public name as a method. */
  private static String defaultStream(ClassLoader loader) throws Exception {
    Object type =
        Class.forName("org.apache.hadoop.fs.s3a.impl.streams.StreamIntegration", true, loader)
            .getField("DEFAULT_STREAM_TYPE")
            .get(null);
    return String.valueOf(type.getClass().getMethod("getName").invoke(type));
  }
}
