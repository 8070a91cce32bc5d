// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.s3a.doctor;

import io.temptier.tier.Finding;
import io.temptier.tier.Finding.Severity;
import io.temptier.tier.Immutable;
import java.io.IOException;
import java.net.URL;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hadoop.util.VersionInfo;

/** Whether S3A's jars are there, once each, and fit together. */
final class Jars {
  private static final String S3A = "org.apache.hadoop.fs.s3a.S3AFileSystem";
  private static final String SDK = "software.amazon.awssdk.services.s3.S3Client";

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
    place(S3A, "hadoop-aws", findings);
    place(SDK, "AWS SDK", findings);
    if (findings.isEmpty()) {
      versions(VersionInfo.getVersion(), findings);
    }
    jackson(findings);
    return findings;
  }

  /** Whether what an operator asks for is on the class path. */
  static List<Finding> required(List<String> names) {
    return names.stream()
        .filter(name -> (name.contains("/") ? resources(name) : places(name)).isEmpty())
        .map(
            name ->
                finding(
                    Severity.ERROR,
                    name,
                    "missing",
                    "It is not on the class path, and was asked for by --require.",
                    "Add its jar or folder to HADOOP_CLASSPATH."))
        .collect(Collectors.toList());
  }

  private static void place(String name, String jar, List<Finding> findings) {
    List<URL> places = places(name);
    if (places.isEmpty()) {
      findings.add(
          finding(
              Severity.ERROR,
              jar,
              "missing",
              "No s3a path opens: " + name + " is not found.",
              "Add Hadoop's optional tools (export HADOOP_OPTIONAL_TOOLS=hadoop-aws in"
                  + " hadoop-env.sh), whose folder share/hadoop/tools/lib must hold hadoop-aws and"
                  + " the AWS SDK's bundle."));
    } else if (places.size() > 1) {
      findings.add(
          finding(
              Severity.WARNING,
              jar,
              String.valueOf(places),
              "It is there " + places.size() + " times: which one a job gets is chance.",
              "Leave the one that belongs to Hadoop " + VersionInfo.getVersion() + "."));
    }
  }

  private static void versions(String hadoop, List<Finding> findings) {
    String jar = String.valueOf(places(S3A).get(0));
    String expected = "hadoop-aws-" + hadoop + ".jar";
    if (jar.contains("hadoop-aws-") && !jar.contains(expected)) {
      findings.add(
          finding(
              Severity.ERROR,
              "hadoop-aws",
              jar,
              "It is not of Hadoop " + hadoop + ", which is the rest: S3A needs its own version.",
              "Put " + expected + " in its place."));
    }
    String sdk = constant("software.amazon.awssdk.core.util.VersionInfo", "SDK_VERSION");
    String tried = SDK_VERSIONS.getOrDefault(hadoop, sdk);
    if (!sdk.isEmpty() && !sdk.equals(tried)) {
      findings.add(
          finding(
              Severity.WARNING,
              "AWS SDK",
              sdk,
              ("Hadoop " + hadoop + " was made with " + tried + ". ")
                  + "From 2.30 on the SDK adds checksums that many stores refuse.",
              "Put bundle-" + tried + ".jar in its place."));
    }
  }

  private static void jackson(List<Finding> findings) {
    String core = constant("com.fasterxml.jackson.core.json.PackageVersion", "VERSION");
    String databind = constant("com.fasterxml.jackson.databind.cfg.PackageVersion", "VERSION");
    if (!minor(core).equals(minor(databind))) {
      findings.add(
          finding(
              Severity.WARNING,
              "jackson-core",
              core,
              "jackson-databind is "
                  + databind
                  + ": S3A's committers can fail with NoSuchMethodError.",
              "Put jackson-core " + databind + " in its place."));
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

  private static Finding finding(
      Severity severity, String key, String value, String consequence, String remedy) {
    return Finding.of(severity, key, value, "class path of this command", consequence, remedy);
  }
}
