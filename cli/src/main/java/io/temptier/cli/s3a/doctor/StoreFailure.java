// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.s3a.doctor;

import io.temptier.s3a.endpoint.EndpointKey;
import io.temptier.tier.Finding;
import io.temptier.tier.Strings;
import java.io.IOException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;

/**
 * The failures of a store that are known: what they look like, and what they mean. Told by texts
 * that stand somewhere in the chain of causes: S3A wraps what the SDK threw, which holds what the
 * store said.
 */
enum StoreFailure {
  PROXY(
      "no connection to the proxy|the proxy wants a user|Unable to tunnel through proxy"
          + "|Proxy error: ",
      S3aKey.PROXY_HOST,
      "No request gets through the proxy.",
      "Look at its host, port (fs.s3a.proxy.port) and user, or take the properties out where no"
          + " proxy is needed."),
  NOT_S3(
      "and not as S3 does",
      S3aKey.ENDPOINT,
      "What answers there is no S3 gateway.",
      "Look at host and port (Ceph: rgw_frontends; its dashboard and manager have ports of their"
          + " own)."),
  BROKEN(
      "it answers with status 5",
      S3aKey.ENDPOINT,
      "The gateway fails, or a balancer or proxy before it reaches none.",
      "Look at their logs and whether the gateway runs, then run the doctor again."),
  CHECKSUM(
      "Checksum algorithm is not supported|Checksum not supported for|awssdk.crt.checksums",
      S3aKey.CHECKSUM,
      "S3A has no such algorithm here: nothing opens, or nothing is written.",
      "Make it CRC32, CRC32C, SHA1 or SHA256, or take it out."),
  SIGNER(
      "XAmzContentSHA256Mismatch",
      S3aKey.SIGNER,
      "The store refuses uploads of 0 bytes as S3A signs them by default: mkdirs, empty files and"
          + " committers fail.",
      BucketSettings.put(S3aKey.SIGNER, S3aKey.UNSIGNED_PAYLOAD)),
  WRONG_ACCESS_KEY(
      "InvalidAccessKeyId",
      S3aKey.ACCESS_KEY,
      "The store knows no user with this access key: nothing can be read or written.",
      "Compare the access key with the store's (Ceph: radosgw-admin user info --uid=USER), and that"
          + " the endpoint is the one the key is for."),
  WRONG_SECRET_KEY(
      "SignatureDoesNotMatch",
      S3aKey.SECRET_KEY,
      "The store knows the access key, but not this signature: the secret key is wrong, or"
          + " something between here and the store changes requests.",
      "Put in the secret key that belongs to the access key (Ceph: radosgw-admin user info"
          + " --uid=USER); look for blanks around it. Proxies must leave the Host header alone."),
  NO_KEYS(
      "NoAuthWithAWSException|NoAwsCredentials|Unable to load credentials",
      S3aKey.ACCESS_KEY,
      "There are no keys to sign requests with.",
      "Put the keys into a credential store (hadoop credential create fs.s3a.access.key ..., and"
          + " fs.s3a.secret.key) and name it in hadoop.security.credential.provider.path."),
  CLOCK(
      "RequestTimeTooSkewed",
      "clock",
      "This machine's clock and the store's differ by more than 15 minutes: every request is"
          + " refused.",
      "Set this machine's clock by NTP (timedatectl set-ntp true), and the store's."),
  REGION(
      "Unable to load"
          + " region|AuthorizationHeaderMalformed|IllegalLocationConstraint|PermanentRedirect|[Ss]tatus"
          + " [Cc]ode:? 301",
      S3aKey.REGION,
      "The bucket is in another region than the one requests are signed for.",
      "Set the bucket's region in fs.s3a.endpoint.region (AWS: aws s3api get-bucket-location"
          + " --bucket BUCKET)."),
  NO_BUCKET(
      "NoSuchBucket|UnknownStoreException",
      "bucket",
      "There is no such bucket; S3A makes none.",
      "Look at the name, and make the bucket with another tool (s3cmd mb, aws s3api create-bucket)"
          + " as the user of these keys."),
  FULL(
      "QuotaExceeded|InsufficientCapacity|OSDs are full",
      "quota",
      "The store takes no more: quota or disks are full.",
      "Delete, or raise the quota (Ceph: radosgw-admin quota set; ceph df)."),
  DENIED(
      "AccessDenied|[Ss]tatus [Cc]ode:? 403|Forbidden",
      S3aKey.ACCESS_KEY,
      "The store knows the user and forbids this.",
      "Give the user the right to it (bucket policy or ACL; Ceph: is it op-mask or a quota? See"
          + " radosgw-admin user info), or use keys of one who has it."),
  UNKNOWN_HOST(
      "UnknownHostException|Name or service not known",
      S3aKey.ENDPOINT,
      "The name of the endpoint is not known here.",
      "Look at the endpoint, and at DNS on this machine."),
  CERTIFICATE(
      "PKIX path|CertificateException|SSLPeerUnverifiedException|No subject alt",
      S3aKey.ENDPOINT,
      "The gateway's certificate is not trusted here, or is for another name.",
      "Put its CA into this Java's trust store (keytool -importcert -cacerts) on every node, and"
          + " use the name in the certificate as the endpoint."),
  PLAIN_TO_TLS(
      "plain HTTP request was sent to HTTPS|Client sent an HTTP request to an HTTPS",
      S3aKey.ENDPOINT,
      "The gateway speaks https on this port, and the endpoint is http.",
      "Write the endpoint with https://, and set fs.s3a.connection.ssl.enabled to true."),
  TLS_TO_PLAIN(
      "Unsupported or unrecognized SSL message|not an SSL/TLS record",
      S3aKey.ENDPOINT,
      "The gateway speaks http on this port, and S3A speaks https: no request gets through.",
      "Write the endpoint with http://, and set fs.s3a.connection.ssl.enabled to false; or use the"
          + " gateway's port for https."),
  REFUSED(
      "Connection refused",
      S3aKey.ENDPOINT,
      "Nothing listens there: the gateway is down, or the port is wrong.",
      "Look whether the gateway runs (Ceph: ceph orch ps --daemon-type rgw, or systemctl status"
          + " 'ceph-radosgw@*') and on which port (rgw_frontends)."),
  GONE(
      "Connection reset|NoHttpResponseException|failed to respond|Premature end|Broken pipe"
          + "|Connection or stream was closed",
      S3aKey.ENDPOINT,
      "The gateway ended the connection in the middle of a request: it went down or is being"
          + " restarted, or something between cuts connections.",
      "Look at the gateway's log and whether it runs, then run the doctor again."),
  SLOW(
      "timed out|Timeout",
      S3aKey.ENDPOINT,
      "The gateway does not answer in time: it hangs, is overloaded, or a firewall drops packets.",
      "Look at the gateway and at what it waits for (Ceph: ceph -s), and try a plain request: curl"
          + " -v ENDPOINT."),
  /** Told by the settings, as the next one. */
  SHORT_TIMEOUT(
      "(?!)",
      S3aKey.PART_TIMEOUT,
      "Uploads do not end within this time; a number without a unit is milliseconds.",
      ""),
  VIRTUAL_HOST(
      "(?!)",
      S3aKey.PATH_STYLE,
      "Requests go to BUCKET.HOST, and no such bucket answers there.",
      BucketSettings.put(S3aKey.PATH_STYLE, "true"));

  private static final Set<StoreFailure> NO_ANSWERS =
      EnumSet.of(
          BROKEN, UNKNOWN_HOST, CERTIFICATE, PLAIN_TO_TLS, TLS_TO_PLAIN, REFUSED, GONE, SLOW);

  private static final int LONGEST = 300;

  private final Pattern texts;
  private final String key;
  private final String consequence;
  private final String remedy;

  StoreFailure(String texts, String key, String consequence, String remedy) {
    this.texts = Pattern.compile(texts);
    this.key = key;
    this.consequence = consequence;
    this.remedy = remedy;
  }

  /** Whether the store can be asked nothing more. */
  boolean ends() {
    return this != SIGNER && this != DENIED && this != FULL;
  }

  /** Whether nobody was there to answer, or nobody whole. */
  boolean isNoAnswer() {
    return NO_ANSWERS.contains(this);
  }

  /** What a failure is, if it is a known one. */
  static Optional<StoreFailure> of(Throwable failure) {
    String told = texts(failure);
    return Arrays.stream(values()).filter(known -> known.texts.matcher(told).find()).findFirst();
  }

  private static String texts(Throwable failure) {
    StringBuilder all = new StringBuilder();
    Throwable cause = failure;
    for (int depth = 0; cause != null && depth < 20; depth++) {
      all.append(cause).append('\n');
      cause = cause.getCause();
    }
    return all.toString();
  }

  /** What came when a question was asked, as the finding that it is. */
  static List<Finding> explain(BucketSettings settings, String question, Throwable failure) {
    Optional<StoreFailure> told = of(failure);
    if (!told.isPresent()) {
      return BucketSettings.answered(
          question,
          said(failure),
          "S3A fails at this, and so will jobs.",
          "Look it up in Hadoop's \"Troubleshooting S3A\" and in the gateway's log; --debug shows"
              + " the whole stack.");
    }
    StoreFailure known = told.get().by(settings, failure);
    String consequence = known.consequence + " (" + question + ": " + said(failure) + ")";
    if (!known.key.startsWith("fs.")) {
      return BucketSettings.answered(known.key, settings.bucket(), consequence, known.remedy);
    }
    boolean ofAll = known.key.equals(S3aKey.ENDPOINT) && settings.endpoints().size() > 1;
    return settings.error(
        ofAll ? EndpointKey.ENDPOINTS.key() : known.key,
        consequence,
        known == SHORT_TIMEOUT
            ? BucketSettings.put(known.key, SettingsChecks.partTimeout(settings))
            : known.remedy);
  }

  /** What it comes from, where the settings say more than the failure. */
  private StoreFailure by(BucketSettings settings, Throwable failure) {
    String told = texts(failure);
    if (told.contains("ApiCallTimeout") && SettingsChecks.hasShortPartTimeout(settings)) {
      return SHORT_TIMEOUT;
    }
    boolean hostHasBucket =
        !settings.isAmazon()
            && !settings.conf().getBoolean(S3aKey.PATH_STYLE, false)
            && (this == NO_BUCKET
                || (this == UNKNOWN_HOST && told.contains(settings.bucket() + ".")));
    return hostHasBucket ? VIRTUAL_HOST : this;
  }

  /** What a failure says that is no known one; a known one is thrown, to be explained. */
  static String unknown(IOException failure) throws IOException {
    if (of(failure).isPresent()) {
      throw failure;
    }
    return said(failure);
  }

  /** What the store said, by its own code and request, or else the first line of the failure. */
  static String said(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof AwsServiceException) {
        AwsServiceException store = (AwsServiceException) cause;
        AwsErrorDetails details = store.awsErrorDetails();
        String code = details == null ? "" : " " + details.errorCode();
        return "status " + store.statusCode() + code + ", request " + store.requestId();
      }
    }
    String text = Strings.lines(String.valueOf(failure.getMessage())).findFirst().orElse("").trim();
    String shown = text.length() > LONGEST ? text.substring(0, LONGEST) + "..." : text;
    return failure.getClass().getSimpleName() + ": " + shown;
  }
}
