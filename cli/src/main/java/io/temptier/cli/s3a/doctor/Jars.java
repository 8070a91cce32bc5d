// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.s3a.doctor;

import io.temptier.cli.doctor.Secrets;
import io.temptier.s3a.endpoint.EndpointKey;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.text.Finding;
import java.io.IOException;
import java.net.URL;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Whether S3A's jars are there, once each, and fit together; and what S3A runs with, for whoever
 * compares two nodes.
 */
final class Jars {
  private static final String S3A = "org.apache.hadoop.fs.s3a.S3AFileSystem";
  private static final String SDK = "software.amazon.awssdk.services.s3.S3Client";

  /** One class for each jar that S3A runs with. */
  private static final List<String> CLASSES =
      Immutable.listOf(
          "org.apache.hadoop.fs.FileSystem",
          S3A,
          SDK,
          "software.amazon.awssdk.core.SdkClient",
          "software.amazon.awssdk.http.apache.ApacheHttpClient",
          "software.amazon.s3.analyticsaccelerator.S3SeekableInputStreamFactory",
          "org.apache.http.client.HttpClient",
          "org.wildfly.openssl.OpenSSLProvider",
          "com.fasterxml.jackson.core.JsonFactory",
          "com.fasterxml.jackson.databind.ObjectMapper",
          "io.temptier.s3a.endpoint.SpreadingS3ClientFactory",
          "io.temptier.tier.text.Finding");

  private Jars() {}

  /** Whether S3A can be loaded at all. */
  static boolean hasS3a() {
    return !where(S3A).isEmpty() && !where(SDK).isEmpty();
  }

  /** What an operator asks for, and is not on the class path. */
  static List<Finding> required(BucketSettings settings, List<String> names) {
    return names.stream()
        .filter(name -> (name.contains("/") ? resources(name) : places(name)).isEmpty())
        .map(name -> Troubles.seen("jar.required", settings, name, name))
        .collect(Immutable.toList());
  }

  /** Each place of a class, with commas between: the one that counts is the first. */
  static String where(String name) {
    return places(name).stream().map(URL::toString).collect(Collectors.joining(", "));
  }

  /** Of {@code sdk}; of {@code jackson-core} and {@code -databind}, which go by minor versions. */
  static String version(String of) {
    return of.equals("sdk")
        ? constant("software.amazon.awssdk.core.util.VersionInfo", "SDK_VERSION")
        : constant(
                "com.fasterxml.jackson."
                    + (of.equals("jackson-core") ? "core.json" : "databind.cfg")
                    + ".PackageVersion",
                "VERSION")
            .replaceFirst("^(\\d+\\.\\d+).*", "$1");
  }

  private static String constant(String name, String field) {
    try {
      return String.valueOf(Class.forName(name).getField(field).get(null));
    } catch (ReflectiveOperationException | LinkageError e) {
      return "";
    }
  }

  private static List<URL> places(String name) {
    return resources(name.replace('.', '/') + ".class");
  }

  private static List<URL> resources(String name) {
    try {
      return Collections.list(Thread.currentThread().getContextClassLoader().getResources(name));
    } catch (IOException e) {
      return Immutable.listOf();
    }
  }

  /** Adds properties and jars to a report: lines for people, members for programs. */
  static void addInEffect(
      List<String> head, Map<String, Object> about, BucketSettings settings, Secrets secrets) {
    SortedMap<String, Map<String, String>> values = new TreeMap<>();
    SortedMap<String, String> known =
        BucketSettings.hadoop().map(version -> version.keys()).orElseGet(TreeMap::new);
    SortedSet<String> keys = new TreeSet<>(known.keySet());
    keys.addAll(settings.rollout.keys());
    keys.removeIf(key -> !key.startsWith("fs.s3a.") && !key.startsWith(EndpointKey.PREFIX));
    head.add("");
    for (String key : keys) {
      String set = settings.value(key);
      String value = secrets.shown(key, set.isEmpty() ? known.getOrDefault(key, "") : set);
      if (!value.isEmpty()) {
        String origin = set.isEmpty() ? "default, in S3A's code" : settings.origin(key);
        values.put(key, Immutable.mapOf("value", value, "origin", origin));
        head.add(key + " = " + value + " (" + origin + ")");
      }
    }
    about.put("in_effect", values);
    SortedMap<String, String> jars = new TreeMap<>();
    CLASSES.forEach(name -> jars.put(name, where(name).replaceFirst("^$", "not there")));
    about.put("jars", jars);
    head.add("");
    jars.forEach((name, jar) -> head.add(name + ": " + jar));
  }
}
