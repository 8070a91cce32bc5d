// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.s3a.doctor;

import io.temptier.cli.doctor.Paste;
import io.temptier.tier.Finding;
import io.temptier.tier.Finding.Severity;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a failure of the store looks like, and what it means. Told by texts that stand somewhere in
 * the chain of causes: S3A wraps what the SDK threw, which holds what the store said.
 */
enum Symptom {
  SIGNER(
      List.of("XAmzContentSHA256Mismatch"),
      Keys.SIGNER,
      "The store refuses uploads of 0 bytes as S3A signs them by default: mkdirs, empty files and"
          + " committers fail.",
      Paste.into(Subject.CORE_SITE, Keys.SIGNER, Keys.UNSIGNED_PAYLOAD)),
  WRONG_ACCESS_KEY(
      List.of("InvalidAccessKeyId"),
      Keys.ACCESS_KEY,
      "The store knows no user with this access key: nothing can be read or written.",
      "Compare the access key with the store's (Ceph: radosgw-admin user info --uid=USER), and that"
          + " the endpoint is the one the key is for."),
  WRONG_SECRET_KEY(
      List.of("SignatureDoesNotMatch"),
      Keys.SECRET_KEY,
      "The store knows the access key, but not this signature: the secret key is wrong, or"
          + " something between here and the store changes requests.",
      "Put in the secret key that belongs to the access key (Ceph: radosgw-admin user info"
          + " --uid=USER); look for blanks around it. Proxies must leave the Host header alone."),
  NO_KEYS(
      List.of("NoAuthWithAWSException", "NoAwsCredentials", "Unable to load credentials"),
      Keys.ACCESS_KEY,
      "There are no keys to sign requests with.",
      "Put the keys into a credential store (hadoop credential create "
          + Keys.ACCESS_KEY
          + " ..., and "
          + Keys.SECRET_KEY
          + ") and name it in hadoop.security.credential.provider.path."),
  CLOCK(
      List.of("RequestTimeTooSkewed"),
      "clock",
      "This machine's clock and the store's differ by more than 15 minutes: every request is"
          + " refused.",
      "Set this machine's clock by NTP (timedatectl set-ntp true), and the store's."),
  REGION(
      List.of(
          "AuthorizationHeaderMalformed",
          "IllegalLocationConstraint",
          "PermanentRedirect",
          "status code 301",
          "Status Code: 301"),
      Keys.REGION,
      "The bucket is in another region than the one requests are signed for.",
      "Set the bucket's region in "
          + Keys.REGION
          + " (AWS: aws s3api get-bucket-location --bucket BUCKET)."),
  NO_BUCKET(
      List.of("NoSuchBucket", "UnknownStoreException"),
      "bucket",
      "There is no such bucket; S3A makes none.",
      "Look at the name, and make the bucket with another tool (s3cmd mb, aws s3api create-bucket)"
          + " as the user of these keys."),
  DENIED(
      List.of("AccessDenied", "Status Code: 403", "status code 403", "Forbidden"),
      Keys.ACCESS_KEY,
      "The store knows the user and forbids this.",
      "Give the user the right to it (bucket policy or ACL; Ceph: is it op-mask or a quota? See"
          + " radosgw-admin user info), or use keys of one who has it."),
  FULL(
      List.of("QuotaExceeded", "InsufficientCapacity", "OSDs are full"),
      "quota",
      "The store takes no more: quota or disks are full.",
      "Delete, or raise the quota (Ceph: radosgw-admin quota set; ceph df)."),
  UNKNOWN_HOST(
      List.of("UnknownHostException", "Name or service not known"),
      Keys.ENDPOINT,
      "The name of the endpoint, or of the bucket in front of it, is not known here.",
      "Look at the endpoint. If the name begins with the bucket's: "
          + Paste.into(Subject.CORE_SITE, Keys.PATH_STYLE, "true")),
  CERTIFICATE(
      List.of("PKIX path", "CertificateException", "SSLPeerUnverifiedException", "No subject alt"),
      Keys.ENDPOINT,
      "The gateway's certificate is not trusted here, or is for another name.",
      "Put its CA into this Java's trust store (keytool -importcert -cacerts) on every node, and"
          + " use the name in the certificate as the endpoint."),
  PLAIN_TO_TLS(
      List.of("plain HTTP request was sent to HTTPS", "Client sent an HTTP request to an HTTPS"),
      Keys.ENDPOINT,
      "The gateway speaks https on this port, and the endpoint is http.",
      "Write the endpoint with https://, and set " + Keys.TLS + " to true."),
  TLS_TO_PLAIN(
      List.of("Unsupported or unrecognized SSL message", "not an SSL/TLS record"),
      Keys.ENDPOINT,
      "The gateway speaks http on this port, and S3A speaks https: no request gets through.",
      "Write the endpoint with http://, and set "
          + Keys.TLS
          + " to false; or use the gateway's port for https."),
  REFUSED(
      List.of("Connection refused"),
      Keys.ENDPOINT,
      "Nothing listens there: the gateway is down, or the port is wrong.",
      "Look whether the gateway runs (Ceph: ceph orch ps --daemon-type rgw, or systemctl status"
          + " 'ceph-radosgw@*') and on which port (rgw_frontends)."),
  GONE(
      List.of(
          "Connection reset",
          "NoHttpResponseException",
          "failed to respond",
          "Premature end",
          "Broken pipe",
          "Connection or stream was closed"),
      Keys.ENDPOINT,
      "The gateway ended the connection in the middle of a request: it went down or is being"
          + " restarted, or something between cuts connections.",
      "Look at the gateway's log and whether it runs, then run the doctor again."),
  SLOW(
      List.of("timed out", "Timeout", "TimeoutException"),
      Keys.ENDPOINT,
      "The gateway does not answer in time: it hangs, is overloaded, or a firewall drops packets.",
      "Look at the gateway and at what it waits for (Ceph: ceph -s), and try a plain request: curl"
          + " -v ENDPOINT.");

  private static final int LONGEST = 300;

  private final List<String> texts;
  private final String key;
  private final String consequence;
  private final String remedy;

  Symptom(List<String> texts, String key, String consequence, String remedy) {
    this.texts = texts;
    this.key = key;
    this.consequence = consequence;
    this.remedy = remedy;
  }

  /** Whether the store can be asked nothing more. */
  boolean ends() {
    return this != SIGNER && this != DENIED && this != FULL;
  }

  /** The symptom of a failure, if it is a known one. */
  static @Nullable Symptom of(Throwable failure) {
    String all = told(failure);
    return Arrays.stream(values())
        .filter(symptom -> symptom.texts.stream().anyMatch(all::contains))
        .findFirst()
        .orElse(null);
  }

  /**
   * A failure as a finding.
   *
   * @param question what was asked when it came
   */
  static Finding explain(Subject subject, String question, Throwable failure) {
    Symptom symptom = of(failure);
    if (symptom == null) {
      return new Finding(
          Severity.ERROR,
          question,
          first(failure),
          "the store's answer",
          "S3A fails at this, and so will jobs.",
          "Look it up in Hadoop's \"Troubleshooting S3A\" and in the gateway's log; --debug shows"
              + " the whole stack.");
    }
    boolean property = symptom.key.startsWith("fs.");
    return new Finding(
        Severity.ERROR,
        symptom.key,
        property ? subject.value(symptom.key) : subject.bucket(),
        property ? subject.origin(symptom.key) : "the store's answer",
        symptom.consequence + " (" + question + ": " + first(failure) + ")",
        symptom.remedy);
  }

  private static String told(Throwable failure) {
    StringBuilder all = new StringBuilder();
    Throwable cause = failure;
    for (int depth = 0; cause != null && depth < 20; depth++) {
      all.append(cause).append('\n');
      cause = cause.getCause();
    }
    return all.toString();
  }

  /** The first line, which S3A fills with what the store said. */
  static String first(Throwable failure) {
    String text = String.valueOf(failure.getMessage()).lines().findFirst().orElse("").strip();
    String name = failure.getClass().getSimpleName();
    return text.length() > LONGEST
        ? name + ": " + text.substring(0, LONGEST) + "..."
        : name + ": " + text;
  }
}
