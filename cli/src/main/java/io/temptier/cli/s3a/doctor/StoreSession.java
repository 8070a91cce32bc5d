// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.s3a.doctor;

import io.temptier.s3a.endpoint.EndpointKey;
import io.temptier.tier.Finding;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.s3a.AWSUnsupportedFeatureException;
import org.apache.hadoop.fs.s3a.S3AFileSystem;
import org.jspecify.annotations.Nullable;

/**
 * S3A as the settings make it, but with little patience, and a prefix of its own to write below.
 * One check uses it at a time.
 */
final class StoreSession {
  /** How many names a list has in a page. */
  static final String PAGE = "3";

  /** S3's smallest part: no block of the doctor's own outgrows its heap. */
  static final int PART_BYTES = 5 << 20;

  /** A job retries for minutes; a person who waits for a diagnosis does not. */
  private static final Map<String, String> OWN =
      Map.of(
          "fs.s3a.attempts.maximum",
          "1",
          "fs.s3a.retry.limit",
          "1",
          "fs.s3a.retry.throttle.limit",
          "1",
          "fs.s3a.bucket.probe",
          "0",
          // What the checks ask beside S3A's own calls.
          "fs.s3a.audit.reject.out.of.span.operations",
          "false",
          // Else opening S3A aborts the uploads of other jobs.
          S3aKey.PURGE,
          "false",
          // So that a small file has parts, and a few files are several pages.
          S3aKey.PART_SIZE,
          String.valueOf(PART_BYTES),
          "fs.s3a.paging.maximum",
          PAGE);

  /** The longest that S3A waits; given times that are shorter hold. */
  private static final Duration LONGEST = Duration.ofSeconds(15);

  private static final List<String> TIMEOUTS =
      List.of(S3aKey.CONNECT_TIMEOUT, S3aKey.TIMEOUT, S3aKey.REQUEST_TIMEOUT, S3aKey.POOL_TIMEOUT);

  private final BucketSettings settings;
  private final Duration patience;
  private final Path scratch;
  private volatile List<String> gateways;
  private volatile @Nullable FileSystem fs;

  /** Waits for what has no deadline of its own as long as {@code patience}. */
  StoreSession(BucketSettings settings, Duration patience) {
    this.settings = settings;
    this.patience = patience;
    this.gateways = settings.endpoints();
    this.scratch = new Path(root(), "temptier-doctor-" + UUID.randomUUID());
  }

  BucketSettings settings() {
    return settings;
  }

  /** How long to wait for what has no deadline of its own. */
  Duration patience() {
    return patience;
  }

  List<String> gateways() {
    return gateways;
  }

  /** Sends the requests that follow to some of the gateways only. */
  void goThrough(Collection<String> some) throws IOException {
    if (some.size() < gateways.size()) {
      gateways = List.copyOf(some);
      FileSystem open = fs;
      fs = null;
      if (open != null) {
        open.close();
      }
    }
  }

  /** What sends requests to these gateways. */
  static Map<String, String> by(Collection<String> gateways) {
    return Map.of(EndpointKey.ENDPOINTS.key(), String.join(",", gateways));
  }

  /** S3A, or why it cannot be made with these settings. Making it asks the store nothing yet. */
  FileSystem fs() throws IOException {
    FileSystem open = fs;
    if (open == null) {
      open = with(Map.of());
      fs = open;
    }
    return open;
  }

  /** The bucket itself. */
  Path root() {
    return new Path("s3a://" + settings.bucket() + "/");
  }

  /** A name below the prefix that is the doctor's own. */
  Path scratch(String name) {
    return new Path(scratch, name);
  }

  /** The prefix that is the doctor's own. */
  Path scratch() {
    return scratch;
  }

  /** Writes a file through S3A, over one that is there. */
  void write(FileSystem through, Path file, byte[] bytes) throws IOException {
    try (FSDataOutputStream out = through.create(file, true)) {
      out.write(bytes);
    }
  }

  /** S3A with other settings, to be closed by the caller. */
  FileSystem with(Map<String, String> others) throws IOException {
    Configuration conf = new Configuration(settings.conf());
    OWN.forEach(conf::set);
    TIMEOUTS.forEach(key -> shorten(conf, key));
    if (gateways.size() < settings.endpoints().size()) {
      by(gateways).forEach(conf::set);
    }
    others.forEach(conf::set);
    // What the bucket's own settings say is in the general ones already; S3A must not put it back.
    String own = "fs.s3a.bucket." + settings.bucket() + ".";
    conf.getPropsWithPrefix(own).keySet().forEach(name -> conf.unset(own + name));
    return FileSystem.newInstance(URI.create("s3a://" + settings.bucket() + "/"), conf);
  }

  /** Nothing, or 0, stands for no end. */
  private static void shorten(Configuration conf, String key) {
    try {
      long given = conf.getTimeDuration(key, 0, TimeUnit.MILLISECONDS);
      if (given <= 0 || given > LONGEST.toMillis()) {
        conf.set(key, LONGEST.toSeconds() + "s");
      }
    } catch (NumberFormatException e) {
      // S3A says so itself.
      return;
    }
  }

  /** Removes what was written, uploads that were begun included, and ends the session. */
  List<Finding> cleanUp() throws IOException {
    try (FileSystem open = fs()) {
      try {
        ((S3AFileSystem) open).getS3AInternals().abortMultipartUploads(scratch);
      } catch (AWSUnsupportedFeatureException e) {
        // Some stores do not list them; what the checks begin they end themselves.
      }
      boolean unused = open.delete(scratch, true);
      return List.of(left(open.listStatus(scratch).length + " files are left in it."));
    } catch (FileNotFoundException e) {
      return List.of();
    }
  }

  /** What to do about what could not be removed. */
  Finding left(String why) {
    return Finding.warning(
        "scratch prefix",
        scratch.toString(),
        "made by the doctor",
        "It could not be removed: " + why,
        "hadoop fs -rm -r -skipTrash " + scratch);
  }
}
