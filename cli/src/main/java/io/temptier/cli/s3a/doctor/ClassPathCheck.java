// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.s3a.doctor;

import io.temptier.tier.Finding;
import io.temptier.tier.Finding.Severity;
import java.io.IOException;
import java.net.URL;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.util.VersionInfo;

/** Whether S3A's jars are there, once each, and fit together. */
final class ClassPathCheck implements SettingsCheck {
  /** hadoop-aws. */
  static final String S3A = "org.apache.hadoop.fs.s3a.S3AFileSystem";

  private static final String ORIGIN = "class path of this command";
  private static final String SDK = "software.amazon.awssdk.services.s3.S3Client";

  /** The SDK each Hadoop was built and tried with. */
  private static final Map<String, String> SDK_VERSIONS =
      Map.of("3.4.2", "2.29.52", "3.4.3", "2.35.4", "3.5.0", "2.35.4");

  @Override
  public Topic topic() {
    return Topic.CLASS_PATH;
  }

  /** Whether S3A can be loaded at all. */
  static boolean hasS3a() {
    return places(S3A).size() > 0 && places(SDK).size() > 0;
  }

  @Override
  public List<Finding> check(Subject subject) {
    List<Finding> findings = new ArrayList<>();
    findings.addAll(place(S3A, "hadoop-aws"));
    findings.addAll(place(SDK, "AWS SDK"));
    if (findings.isEmpty()) {
      hadoopAws().ifPresent(findings::add);
      sdk().ifPresent(findings::add);
    }
    jackson().ifPresent(findings::add);
    return findings;
  }

  private static List<Finding> place(String name, String jar) {
    List<URL> places = places(name);
    if (places.size() == 1) {
      return List.of();
    }
    if (places.isEmpty()) {
      return List.of(
          finding(
              Severity.ERROR,
              jar,
              "missing",
              "No s3a path opens: " + name + " is not found.",
              "Add Hadoop's optional tools (export HADOOP_OPTIONAL_TOOLS=hadoop-aws in"
                  + " hadoop-env.sh), whose folder share/hadoop/tools/lib must hold hadoop-aws and"
                  + " the AWS SDK's bundle."));
    }
    return List.of(
        finding(
            Severity.WARNING,
            jar,
            String.valueOf(places),
            "It is there " + places.size() + " times: which one a job gets is chance.",
            "Leave the one that belongs to Hadoop " + VersionInfo.getVersion() + "."));
  }

  private static Optional<Finding> hadoopAws() {
    String hadoop = VersionInfo.getVersion();
    String jar = String.valueOf(places(S3A).get(0));
    String expected = "hadoop-aws-" + hadoop + ".jar";
    return !jar.contains("hadoop-aws-") || jar.contains(expected)
        ? Optional.empty()
        : Optional.of(
            finding(
                Severity.ERROR,
                "hadoop-aws",
                jar,
                "It is not of Hadoop " + hadoop + ", which is the rest: S3A needs its own version.",
                "Put " + expected + " in its place."));
  }

  private static Optional<Finding> sdk() {
    String version = constant("software.amazon.awssdk.core.util.VersionInfo", "SDK_VERSION");
    String expected = SDK_VERSIONS.get(VersionInfo.getVersion());
    return expected == null || version.isEmpty() || version.equals(expected)
        ? Optional.empty()
        : Optional.of(
            finding(
                Severity.WARNING,
                "AWS SDK",
                version,
                "Hadoop "
                    + VersionInfo.getVersion()
                    + " was made with "
                    + expected
                    + ". From 2.30 on the SDK adds checksums that many stores refuse.",
                "Put bundle-" + expected + ".jar in its place."));
  }

  private static Optional<Finding> jackson() {
    String core = version("com.fasterxml.jackson.core.json.PackageVersion");
    String databind = version("com.fasterxml.jackson.databind.cfg.PackageVersion");
    return minor(core).equals(minor(databind))
        ? Optional.empty()
        : Optional.of(
            finding(
                Severity.WARNING,
                "jackson-core",
                core,
                "jackson-databind is "
                    + databind
                    + ": S3A's committers can fail with"
                    + " NoSuchMethodError.",
                "Put jackson-core " + databind + " in its place."));
  }

  private static String minor(String version) {
    List<String> parts = List.of(version.split("\\.", -1));
    return parts.size() < 2 ? version : parts.get(0) + "." + parts.get(1);
  }

  private static String version(String name) {
    return constant(name, "VERSION");
  }

  private static String constant(String name, String field) {
    try {
      Object value = Class.forName(name).getField(field).get(null);
      return String.valueOf(value);
    } catch (ReflectiveOperationException | LinkageError e) {
      return "";
    }
  }

  private static List<URL> places(String name) {
    try {
      return Collections.list(
          Thread.currentThread()
              .getContextClassLoader()
              .getResources(name.replace('.', '/') + ".class"));
    } catch (IOException e) {
      return List.of();
    }
  }

  private static Finding finding(
      Severity severity, String key, String value, String consequence, String remedy) {
    return new Finding(severity, key, value, ORIGIN, consequence, remedy);
  }
}
