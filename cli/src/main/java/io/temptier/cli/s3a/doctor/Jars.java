// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.s3a.doctor;

import io.temptier.cli.doctor.Secrets;
import io.temptier.s3a.endpoint.EndpointKey;
import io.temptier.tier.Finding;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.lang.Strings;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
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
          "io.temptier.tier.Finding");

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

  /**
   * Adds properties, jars, and what answers to a report: lines for people, members for programs.
   */
  static void addInEffect(
      List<String> head, Map<String, Object> about, BucketSettings settings, Secrets secrets) {
    SortedMap<String, Map<String, String>> values = values(settings, secrets);
    SortedMap<String, String> jars = jars();
    about.put("in_effect", values);
    about.put("jars", jars);
    head.add("");
    values.forEach(
        (key, value) ->
            head.add(key + " = " + value.get("value") + " (" + value.get("origin") + ")"));
    head.add("");
    jars.forEach((name, jar) -> head.add(name + ": " + jar));
  }

  /** Every property that S3A reads or a file sets, and has a value. */
  private static SortedMap<String, Map<String, String>> values(
      BucketSettings settings, Secrets secrets) {
    SortedMap<String, Map<String, String>> values = new TreeMap<>();
    SortedMap<String, String> known =
        BucketSettings.hadoop().map(version -> version.keys()).orElseGet(TreeMap::new);
    List<String> keys = new ArrayList<>(known.keySet());
    keys.addAll(settings.rollout().keys());
    for (String key : keys) {
      boolean ours = key.startsWith("fs.s3a.") || key.startsWith(EndpointKey.PREFIX);
      String set = settings.value(key);
      String value = set.isEmpty() ? known.getOrDefault(key, "") : set;
      if (ours && !value.isEmpty()) {
        String origin = set.isEmpty() ? "default, in S3A's code" : settings.origin(key);
        values.put(key, Immutable.mapOf("value", secrets.shown(key, value), "origin", origin));
      }
    }
    return values;
  }

  /** The jars that S3A runs with here, by the class that was looked for, each with its SHA-256. */
  private static SortedMap<String, String> jars() {
    SortedMap<String, String> jars = new TreeMap<>();
    for (String name : CLASSES) {
      List<URL> places = places(name);
      jars.put(name, places.isEmpty() ? "not there" : digested(places.get(0).getPath()));
    }
    return jars;
  }

  /** Of a jar, from the place of a class in it, such as {@code file:/lib/a.jar!/b/C.class}. */
  private static String digested(String place) {
    int end = place.indexOf("!/");
    if (end < 0) {
      return "in a folder, " + place;
    }
    Path jar = Paths.get(URI.create(place.substring(0, end)));
    try (InputStream in = Files.newInputStream(jar)) {
      DigestInputStream digest = new DigestInputStream(in, MessageDigest.getInstance("SHA-256"));
      byte[] part = new byte[1 << 16];
      while (digest.read(part) >= 0) {
        // Read through.
      }
      return jar + " " + Strings.hex(digest.getMessageDigest().digest());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
