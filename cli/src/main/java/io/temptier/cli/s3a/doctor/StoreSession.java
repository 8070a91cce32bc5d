// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.s3a.doctor;

import io.temptier.cli.doctor.SiteChecks;
import io.temptier.cli.s3a.doctor.StoreTroubles.Failure;
import io.temptier.s3a.endpoint.EndpointKey;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.text.Finding;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.s3a.S3AFileSystem;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.NoSuchUploadException;

/**
 * S3A as the job's settings make it, with a folder of the doctor's own to write below, on the path
 * that was given. Nothing is set otherwise but what protects others, and how long to wait: a job
 * retries for minutes, a person who waits for a diagnosis does not. One check uses it at a time.
 */
final class StoreSession {
  /** The doctor's own settings: they protect others, or bound how long a person waits. */
  private static final Map<String, String> OTHERWISE =
      Immutable.mapOf(
          "fs.s3a.multipart.purge", "false",
          "fs.s3a.audit.reject.out.of.span.operations", "false",
          "fs.s3a.connection.request.timeout", "15s",
          "fs.s3a.connection.acquisition.timeout", "15s");

  /** Numbers of tries, of S3A and of the HDFS that some committers need. */
  private static final List<String> TRIES =
      Immutable.listOf(
          "fs.s3a.attempts.maximum",
          "fs.s3a.retry.limit",
          "fs.s3a.retry.throttle.limit",
          "ipc.client.connect.max.retries",
          "ipc.client.connect.max.retries.on.timeouts",
          "dfs.client.failover.max.attempts");

  final BucketSettings settings;

  /** Time to wait for what has no deadline of its own. */
  final Duration patience;

  private final String folder = "temptier-doctor-" + UUID.randomUUID();
  volatile List<String> gateways;
  private volatile @Nullable FileSystem fs;
  private volatile Consumer<Finding> found = finding -> {};

  StoreSession(BucketSettings settings, Duration patience) {
    this.settings = settings;
    this.patience = patience;
    this.gateways = settings.endpoints();
  }

  /** Tells what is found from now on to the check that begins. */
  void tell(Consumer<Finding> check) {
    found = check;
  }

  /** A row of the table of troubles, about its property. */
  void found(String row, Object... values) {
    found.accept(StoreTroubles.named(row, settings, values));
  }

  /** Adds a row's finding about what is no property, with its value. */
  void saw(String row, String value, Object... values) {
    found.accept(StoreTroubles.seen(row, settings, value, values));
  }

  /** Throws on what the table of troubles knows, where another failure is what is hoped for. */
  void rethrowKnown(String question, IOException e) throws IOException {
    if (StoreTroubles.of(question, new Failure(e), settings).isPresent()) {
      throw e;
    }
  }

  /** Sends the requests that follow to some of the gateways only. */
  void goThrough(Collection<String> addresses) throws IOException {
    if (addresses.size() < gateways.size()) {
      gateways = Immutable.listFrom(addresses);
      FileSystem open = fs;
      fs = null;
      if (open != null) {
        open.close();
      }
    }
  }

  /** Returns the setting that sends requests to these gateways. */
  static Map<String, String> by(Collection<String> gateways) {
    return Immutable.mapOf(EndpointKey.ENDPOINTS.key(), String.join(",", gateways));
  }

  /** S3A, or why it cannot be made with these settings. */
  FileSystem fs() throws IOException {
    FileSystem open = fs;
    if (open == null) {
      open = with(Immutable.mapOf());
      fs = open;
    }
    return open;
  }

  /** The SDK's own client, made by S3A. */
  S3Client client() throws IOException {
    return ((S3AFileSystem) fs()).getS3AInternals().getAmazonS3Client("temptier s3a doctor");
  }

  Path root() {
    return new Path("s3a://" + settings.bucket + settings.path);
  }

  Path scratch(String name) {
    return new Path(scratch(), name);
  }

  Path scratch() {
    return new Path(root(), folder);
  }

  /** S3A with other settings, to be closed by the caller. */
  FileSystem with(Map<String, String> others) throws IOException {
    Configuration conf = new Configuration(settings.conf);
    OTHERWISE.forEach(conf::set);
    TRIES.forEach(
        key -> {
          // What is no number is left for S3A to stumble over.
          if (conf.getTrimmed(key, "0").matches("-?\\d+")) {
            conf.setInt(key, 1);
          }
        });
    if (gateways.size() < settings.endpoints().size()) {
      by(gateways).forEach(conf::set);
    }
    if (outgrowsHeap()) {
      conf.set(SiteChecks.BUFFER, "disk");
    }
    others.forEach(conf::set);
    // What the bucket's own settings say is in the general ones already; S3A must not put it back.
    String prefix = "fs.s3a.bucket." + settings.bucket + ".";
    conf.getPropsWithPrefix(prefix).keySet().forEach(name -> conf.unset(prefix + name));
    return FileSystem.newInstance(URI.create("s3a://" + settings.bucket + "/"), conf);
  }

  /** True if a block in memory is of a size that containers may have, and this command has not. */
  boolean outgrowsHeap() {
    return !settings.value(SiteChecks.BUFFER).equals("disk")
        && settings.partBytes() > Runtime.getRuntime().maxMemory() / 8;
  }

  /**
   * Removes what was written, and ends the session. Past S3A, which would make a marker for the
   * parent; neither files nor uploads are left out because the others stay.
   */
  // It is closed in the end.
  @SuppressWarnings("try")
  void cleanUp() throws IOException {
    String bucket = settings.bucket;
    String prefix = scratch().toUri().getPath().substring(1) + "/";
    try (FileSystem open = fs()) {
      S3Client store = client();
      remove(
          "files",
          () ->
              store
                  .listObjectsV2Paginator(request -> request.bucket(bucket).prefix(prefix))
                  .contents(),
          file -> store.deleteObject(request -> request.bucket(bucket).key(file.key())));
      remove(
          "uploads, if any are left",
          () ->
              store
                  .listMultipartUploadsPaginator(request -> request.bucket(bucket).prefix(prefix))
                  .uploads(),
          each ->
              store.abortMultipartUpload(
                  request -> request.bucket(bucket).key(each.key()).uploadId(each.uploadId())));
    }
  }

  private <T> void remove(String what, Supplier<Iterable<T>> listed, Consumer<T> removal) {
    try {
      for (T each : listed.get()) {
        try {
          removal.accept(each);
        } catch (NoSuchUploadException e) {
          // It is gone already.
        }
      }
    } catch (RuntimeException e) {
      left(what + " (" + new Failure(e).said + ")");
    }
  }

  /** Tells that something in the folder that is the doctor's own stays, and why. */
  void left(String why) {
    saw("left", scratch().toString(), why, scratch());
  }
}
