// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.s3a.doctor;

import java.io.IOException;
import java.net.URI;
import java.util.Map;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * A visit to the store: S3A as the settings make it, but with little patience, and a prefix of its
 * own to write below. Not thread-safe.
 */
final class Visit implements AutoCloseable {
  /** What scratch prefixes begin with. */
  static final String SCRATCH = "temptier-doctor-";

  /** How many names a list has in a page. */
  static final String PAGE = "3";

  /** A job retries for minutes; a person who waits for a diagnosis does not. */
  private static final Map<String, String> IMPATIENT =
      Map.of(
          "fs.s3a.attempts.maximum", "1",
          "fs.s3a.retry.limit", "1",
          "fs.s3a.retry.throttle.limit", "1",
          "fs.s3a.connection.establish.timeout", "5s",
          "fs.s3a.connection.timeout", "15s",
          "fs.s3a.connection.request.timeout", "15s",
          "fs.s3a.connection.acquisition.timeout", "10s",
          "fs.s3a.bucket.probe", "0",
          // So that a few files are several pages.
          "fs.s3a.paging.maximum", PAGE);

  private final Subject subject;
  private final Path scratch;
  private final FileSystem fs;

  private Visit(Subject subject, FileSystem fs) {
    this.subject = subject;
    this.fs = fs;
    this.scratch = new Path(fs.getUri() + "/" + SCRATCH + UUID.randomUUID());
  }

  /**
   * Begins one. Asks the store nothing yet.
   *
   * @throws IOException when S3A cannot be made with these settings
   */
  static Visit begin(Subject subject) throws IOException {
    return new Visit(subject, open(subject, Map.of()));
  }

  /** What is examined. */
  Subject subject() {
    return subject;
  }

  /** S3A. */
  FileSystem fs() {
    return fs;
  }

  /** The bucket itself. */
  Path root() {
    return new Path(fs.getUri() + "/");
  }

  /** The prefix below which the doctor writes. */
  Path scratch() {
    return scratch;
  }

  /** A name below the scratch prefix. */
  Path scratch(String name) {
    return new Path(scratch, name);
  }

  /** S3A with other settings, to be closed by the caller. */
  FileSystem with(Map<String, String> others) throws IOException {
    return open(subject, others);
  }

  /** Writes a file through S3A, over one that is there. */
  void write(FileSystem through, Path file, byte[] bytes) throws IOException {
    try (FSDataOutputStream out = through.create(file, true)) {
      out.write(bytes);
    }
  }

  private static FileSystem open(Subject subject, Map<String, String> others) throws IOException {
    Configuration conf = new Configuration(subject.conf());
    IMPATIENT.forEach(conf::set);
    others.forEach(conf::set);
    // What the bucket's own settings say is in the general ones already; S3A must not put it back.
    String own = "fs.s3a.bucket." + subject.bucket() + ".";
    conf.getPropsWithPrefix(own).keySet().forEach(name -> conf.unset(own + name));
    return FileSystem.newInstance(URI.create("s3a://" + subject.bucket() + "/"), conf);
  }

  @Override
  public void close() throws IOException {
    fs.close();
  }
}
