// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.s3a.doctor;

import io.temptier.tier.Finding;
import io.temptier.tier.Finding.Severity;
import io.temptier.tier.Immutable;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.fs.s3a.S3AFileSystem;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.BucketVersioningStatus;
import software.amazon.awssdk.services.s3.model.MultipartUpload;
import software.amazon.awssdk.services.s3.model.NoSuchUploadException;

/** What a bucket keeps besides its files: versions, and uploads that nobody completed. */
final class BucketChecks {
  private static final String ANSWER = "the store's answer";
  private static final Duration STALE = Duration.ofDays(1);
  private static final int MOST = 10_000;

  private static final int FORBIDDEN = 403;

  /** What a store says that has no such thing. */
  private static final Set<Integer> UNKNOWN = Immutable.setOf(405, 501);

  private BucketChecks() {}

  /** A question to the store that some users may not ask, and some stores do not know. */
  private interface Question {
    List<Finding> ask(S3Client store, String bucket);
  }

  private static List<Finding> ask(StoreSession session, String what, Question question)
      throws IOException {
    S3AFileSystem fs = (S3AFileSystem) session.fs();
    try {
      return question.ask(
          fs.getS3AInternals().getAmazonS3Client("temptier s3a doctor"), fs.getBucket());
    } catch (AwsServiceException e) {
      if (UNKNOWN.contains(e.statusCode())) {
        return Immutable.listOf();
      }
      if (e.statusCode() != FORBIDDEN) {
        throw e;
      }
      return Immutable.listOf(
          Finding.info(
              what,
              "not told",
              ANSWER,
              "The store does not tell these keys (" + StoreFailure.said(e) + ").",
              "Ask as the bucket's owner."));
    }
  }

  /** Whether the bucket keeps what is overwritten and deleted. */
  static List<Finding> versioning(StoreSession session) throws IOException {
    return ask(
        session,
        "versioning",
        (store, bucket) ->
            store.getBucketVersioning(request -> request.bucket(bucket)).status()
                    == BucketVersioningStatus.ENABLED
                ? Immutable.listOf(
                    Finding.warning(
                        "versioning",
                        "Enabled",
                        ANSWER,
                        "What jobs overwrite and delete stays and takes room: committers and"
                            + " temporary files most of all. Ceph heeds no conditional create"
                            + " here.",
                        "Use a bucket without versions for jobs, or give it a lifecycle rule that"
                            + " expires old versions (NoncurrentVersionExpiration)."))
                : Immutable.listOf());
  }

  /**
   * Lists the uploads that nobody has completed yet, and gives up those of that age, if any is
   * given.
   */
  static List<Finding> uploads(StoreSession session, Optional<Duration> abort) throws IOException {
    return ask(
        session,
        "uploads",
        (store, bucket) -> {
          List<MultipartUpload> open =
              new ArrayList<>(
                  store
                      .listMultipartUploadsPaginator(request -> request.bucket(bucket))
                      .uploads()
                      .stream()
                      .limit(MOST)
                      .collect(Immutable.toList()));
          int all = open.size();
          abort.ifPresent(
              age -> open.removeIf(upload -> isOlder(upload, age) && abort(store, bucket, upload)));
          return all == 0 ? Immutable.listOf() : Immutable.listOf(uploads(open, all));
        });
  }

  private static boolean isOlder(MultipartUpload upload, Duration age) {
    return upload.initiated().isBefore(Instant.now().minus(age));
  }

  private static boolean abort(S3Client store, String bucket, MultipartUpload upload) {
    try {
      store.abortMultipartUpload(
          request -> request.bucket(bucket).key(upload.key()).uploadId(upload.uploadId()));
      return true;
    } catch (NoSuchUploadException e) {
      // Somebody has just completed it.
      return false;
    }
  }

  private static Finding uploads(List<MultipartUpload> open, int all) {
    Optional<Instant> oldest =
        open.stream().map(MultipartUpload::initiated).min(Comparator.naturalOrder());
    return Finding.of(
        open.stream().anyMatch(upload -> isOlder(upload, STALE)) ? Severity.WARNING : Severity.INFO,
        "uploads",
        all
            + (all == MOST ? " or more" : "")
            + " not completed"
            + oldest.map(since -> " since " + since).orElse("")
            + (open.size() < all ? ", " + (all - open.size()) + " of them aborted now" : ""),
        ANSWER,
        "Their parts take room, and no list of files shows them. Jobs that write now have some too:"
            + " by the magic committer until they commit.",
        "Give the bucket a lifecycle rule (AbortIncompleteMultipartUpload). To abort those older"
            + " than the longest job: temptier s3a doctor --abort-uploads 7d.");
  }
}
