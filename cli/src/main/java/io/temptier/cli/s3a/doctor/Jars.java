// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.s3a.doctor;

import io.temptier.tier.Finding;
import io.temptier.tier.lang.Immutable;
import java.io.IOException;
import java.net.URL;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.util.VersionInfo;

/** Whether S3A's jars are there, once each, and fit together. */
final class Jars {
  private static final String S3A = "org.apache.hadoop.fs.s3a.S3AFileSystem";
  private static final String SDK = "software.amazon.awssdk.services.s3.S3Client";
  private static final String AWS_SDK = "AWS SDK";
  private static final String HADOOP_AWS = "hadoop-aws";

  /** The SDK each Hadoop was built and tried with. */
  private static final Map<String, String> SDK_VERSIONS =
      Immutable.mapOf("3.4.2", "2.29.52", "3.4.3", "2.35.4", "3.5.0", "2.35.4");

  private Jars() {}

  /** Whether S3A can be loaded at all. */
  static boolean hasS3a() {
    return !places(S3A).isEmpty() && !places(SDK).isEmpty();
  }

  static List<Finding> check(BucketSettings settings) {
    List<Finding> findings = new ArrayList<>();
    place(settings, S3A, HADOOP_AWS, findings);
    place(settings, SDK, AWS_SDK, findings);
    if (findings.isEmpty()) {
      versions(settings, VersionInfo.getVersion(), findings);
    }
    String core = constant("com.fasterxml.jackson.core.json.PackageVersion", "VERSION");
    String databind = constant("com.fasterxml.jackson.databind.cfg.PackageVersion", "VERSION");
    if (!minor(core).equals(minor(databind))) {
      findings.addAll(Troubles.named("jar.jackson", settings, core, databind));
    }
    return findings;
  }

  /** Whether what an operator asks for is on the class path. */
  static List<Finding> required(BucketSettings settings, List<String> names) {
    return names.stream()
        .filter(name -> (name.contains("/") ? resources(name) : places(name)).isEmpty())
        .flatMap(name -> Troubles.at(name, "missing", "jar.required", settings).stream())
        .collect(Immutable.toList());
  }

  private static void place(
      BucketSettings settings, String name, String jar, List<Finding> findings) {
    List<URL> places = places(name);
    if (places.isEmpty()) {
      findings.addAll(Troubles.at(jar, "missing", "jar.missing", settings, name));
    } else if (places.size() > 1) {
      String hadoop = VersionInfo.getVersion();
      findings.addAll(
          Troubles.at(jar, String.valueOf(places), "jar.twice", settings, places.size(), hadoop));
    }
  }

  private static void versions(BucketSettings settings, String hadoop, List<Finding> findings) {
    String jar = String.valueOf(places(S3A).get(0));
    String expected = "hadoop-aws-" + hadoop + ".jar";
    if (jar.contains("hadoop-aws-") && !jar.contains(expected)) {
      findings.addAll(Troubles.named("jar.other", settings, jar, hadoop, expected));
    }
    String sdk = constant("software.amazon.awssdk.core.util.VersionInfo", "SDK_VERSION");
    String tried = SDK_VERSIONS.getOrDefault(hadoop, sdk);
    if (!sdk.isEmpty() && !sdk.equals(tried)) {
      findings.addAll(Troubles.named("jar.sdk", settings, sdk, hadoop, tried));
    }
  }

  private static List<String> minor(String version) {
    return Arrays.stream(version.split("\\.", -1)).limit(2).collect(Immutable.toList());
  }

  private static String constant(String name, String field) {
    try {
      return String.valueOf(Class.forName(name).getField(field).get(null));
    } catch (ReflectiveOperationException | LinkageError e) {
      return "";
    }
  }

  /** Where a class is on the class path: the one that counts is the first. */
  static List<URL> places(String name) {
    return resources(name.replace('.', '/') + ".class");
  }

  private static List<URL> resources(String name) {
    try {
      return Collections.list(Thread.currentThread().getContextClassLoader().getResources(name));
    } catch (IOException e) {
      return Immutable.listOf();
    }
  }
}
