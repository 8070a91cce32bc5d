// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.s3a.doctor;

import io.temptier.cli.doctor.Paste;
import io.temptier.tier.Finding;
import io.temptier.tier.Finding.Severity;
import java.util.ArrayList;
import java.util.List;

/** Whether the settings name one store, and how to reach it. */
final class EndpointCheck implements SettingsCheck {
  @Override
  public Topic topic() {
    return Topic.SETTINGS;
  }

  @Override
  public List<Finding> check(Subject subject) {
    String endpoint = subject.value(Keys.ENDPOINT);
    if (endpoint.isEmpty() && subject.isAmazon()) {
      return List.of(
          subject.finding(
              Severity.WARNING,
              Keys.ENDPOINT,
              "Requests go to AWS.",
              "If the store is another: "
                  + Paste.into(Subject.CORE_SITE, Keys.ENDPOINT, "http://rgw.example.com:8080")));
    }
    List<Finding> findings = new ArrayList<>();
    if (endpoint.contains(",")) {
      findings.add(
          subject.finding(
              Severity.ERROR,
              Keys.ENDPOINT,
              "S3A takes one endpoint, and takes all of this for its name.",
              "Leave one, or give all gateways one DNS name."));
    }
    scheme(subject, endpoint, findings);
    if (!subject.isAmazon()) {
      ofOtherStores(subject, findings);
    }
    return findings;
  }

  private static void scheme(Subject subject, String endpoint, List<Finding> findings) {
    boolean tls = subject.conf().getBoolean(Keys.TLS, true);
    if (endpoint.startsWith("http://") && tls && subject.isSet(Keys.TLS)) {
      findings.add(
          subject.finding(
              Severity.WARNING,
              Keys.TLS,
              "The endpoint says http and wins: data and names cross the network in the clear.",
              "Write the endpoint with https://, or " + Paste.property(Keys.TLS, "false") + "."));
    }
    if (endpoint.startsWith("https://") && !tls) {
      findings.add(
          subject.finding(
              Severity.WARNING,
              Keys.TLS,
              "The endpoint says https and wins.",
              Paste.into(Subject.CORE_SITE, Keys.TLS, "true")));
    }
  }

  private static void ofOtherStores(Subject subject, List<Finding> findings) {
    if (subject.value(Keys.REGION).isEmpty()) {
      findings.add(
          subject.finding(
              Severity.WARNING,
              Keys.REGION,
              "Signatures hold a region: without one S3A asks the SDK, which asks AWS or fails.",
              "Ceph takes any. " + Paste.into(Subject.CORE_SITE, Keys.REGION, "us-east-1")));
    }
    if (!subject.conf().getBoolean(Keys.PATH_STYLE, false)) {
      findings.add(
          subject.finding(
              Severity.WARNING,
              Keys.PATH_STYLE,
              "Requests go to BUCKET.HOST: each bucket needs a DNS name, and the gateway must know"
                  + " its own (rgw_dns_name).",
              Paste.into(Subject.CORE_SITE, Keys.PATH_STYLE, "true")));
    }
    if (!subject.value(Keys.CHECKSUM).isEmpty()) {
      findings.add(
          subject.finding(
              Severity.WARNING,
              Keys.CHECKSUM,
              "With any algorithm every upload to Ceph 16.2 failed.",
              "Take it out, if the checks of writes below fail."));
    }
    if (subject.conf().getBoolean(Keys.CHECKSUMS, false)) {
      findings.add(
          subject.finding(
              Severity.WARNING,
              Keys.CHECKSUMS,
              "With checksums of the SDK every upload to Ceph 16.2 failed.",
              "Take it out, if the checks of writes below fail."));
    }
  }
}
