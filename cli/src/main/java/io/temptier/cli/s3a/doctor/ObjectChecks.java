// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.s3a.doctor;

import io.temptier.tier.Finding;
import io.temptier.tier.Finding.Severity;
import io.temptier.tier.Immutable;
import io.temptier.tier.os.Io;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.fs.EtagSource;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FSDataOutputStreamBuilder;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;

/** Whether the store does with objects what S3A needs of it. */
final class ObjectChecks {
  private static final int LISTED_FILES = 7;
  private static final int REPLACED_BYTES = 3 << 20;

  private static final int BYTES_IN_PARTS = StoreSession.PART_BYTES + 1;

  /** Hadoop's {@code Options.CreateFileOptionKeys}. */
  private static final String CONDITION = "fs.option.create.conditional.overwrite";

  private ObjectChecks() {}

  /** Whether S3A can be made with these settings. Asks the store nothing yet. */
  static List<Finding> open(StoreSession session) throws IOException {
    FileSystem unused = session.fs();
    return Immutable.listOf();
  }

  /**
   * Whether an object of 0 bytes can be made, as mkdirs, empty files and committers do. Ceph's
   * gateway refuses it as S3A signs by default.
   */
  static List<Finding> empty(StoreSession session) throws IOException {
    session.write(session.fs(), session.scratch("empty"), new byte[0]);
    return Immutable.listOf();
  }

  /** Whether what is written can be read back at once, under an odd name. */
  static List<Finding> readBack(StoreSession session) throws IOException {
    Path file = session.scratch("a b+c%20=\u00e9");
    byte[] written = "written by temptier s3a doctor\n".getBytes(StandardCharsets.UTF_8);
    session.write(session.fs(), file, written);
    byte[] read = new byte[written.length];
    try (FSDataInputStream in = session.fs().open(file)) {
      in.readFully(read);
    }
    return Arrays.equals(written, read)
        ? Immutable.listOf()
        : BucketSettings.answered(
            "data",
            file.getName(),
            "What is read is not what was written.",
            "Look for caches and proxies between here and the gateway.");
  }

  /** Whether a local file can be copied to the store, which S3A does by a client of its own. */
  static List<Finding> fromLocal(StoreSession session) throws IOException {
    java.nio.file.Path local = Files.createTempFile("temptier-doctor", ".txt");
    try {
      Io.writeString(local, "copied by temptier s3a doctor\n");
      session
          .fs()
          .copyFromLocalFile(
              false, true, new Path(local.toUri()), session.scratch("copied-from-local"));
      return Immutable.listOf();
    } catch (IOException e) {
      if (!StoreFailure.of(e).filter(StoreFailure.SIGNER::equals).isPresent()) {
        throw e;
      }
      return session
          .settings()
          .error(
              S3aKey.COPY_FROM_LOCAL,
              "Other uploads pass, but a local file cannot be copied ("
                  + StoreFailure.said(e)
                  + "): jobs cannot be submitted with s3a as their file system, nor can Hive load"
                  + " local data.",
              BucketSettings.put(S3aKey.COPY_FROM_LOCAL, "false"));
    } finally {
      Files.delete(local);
    }
  }

  /**
   * Whether lists come page by page, whole and in order; and whether what they name can be deleted
   * at once.
   */
  static List<Finding> pages(StoreSession session) throws IOException {
    Path folder = session.scratch("list");
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < LISTED_FILES; i++) {
      Path file = new Path(folder, "file-" + i);
      expected.add(file.getName());
      session.write(session.fs(), file, new byte[] {1});
    }
    List<Finding> findings = new ArrayList<>();
    List<String> listed = names(session.fs(), folder);
    if (!listed.equals(expected)) {
      findings.addAll(
          BucketSettings.answered(
              "list",
              String.join(", ", listed),
              String.format(
                  "A list in pages of %s should have been %s: jobs miss input, or read it twice.",
                  StoreSession.PAGE, String.join(", ", expected)),
              "Try fs.s3a.list.version 1, and look at the gateway's log."));
    }
    findings.addAll(deleteTogether(session, folder));
    return findings;
  }

  private static List<Finding> deleteTogether(StoreSession session, Path folder)
      throws IOException {
    FileSystem fs = session.fs();
    try {
      boolean unused = fs.delete(folder, true);
    } catch (IOException e) {
      return session
          .settings()
          .error(
              S3aKey.BULK_DELETE,
              "The store cannot delete many objects by one request ("
                  + StoreFailure.unknown(e)
                  + "): directories cannot be deleted.",
              "Set fs.s3a.multiobjectdelete.enable to false.");
    }
    List<String> left = fs.exists(folder) ? names(fs, folder) : Immutable.listOf();
    return left.isEmpty()
        ? Immutable.listOf()
        : BucketSettings.answered(
            S3aKey.BULK_DELETE,
            String.join(", ", left),
            "Still listed after they were deleted.",
            "Look at the gateway's log, and try fs.s3a.multiobjectdelete.enable false.");
  }

  private static List<String> names(FileSystem fs, Path folder) throws IOException {
    List<String> names = new ArrayList<>();
    RemoteIterator<FileStatus> files = fs.listStatusIterator(folder);
    while (files.hasNext()) {
      names.add(files.next().getPath().getName());
    }
    return names;
  }

  /**
   * Whether the store makes an object only if it is not there yet, when S3A asks for that: by one
   * request, and in parts, of which only the last request has the condition.
   */
  static List<Finding> conditional(StoreSession session) throws IOException {
    if (!session.fs().hasPathCapability(session.scratch(), CONDITION)) {
      return Immutable.listOf();
    }
    boolean small;
    boolean large;
    try {
      small = isMadeOnce(session, session.scratch("conditional"), 1);
      large = isMadeOnce(session, session.scratch("conditional-parts"), BYTES_IN_PARTS);
    } catch (IOException e) {
      return session
          .settings()
          .warning(
              S3aKey.CONDITIONAL,
              "The store refuses conditional requests ("
                  + StoreFailure.unknown(e)
                  + "): files that must not be there yet cannot be made.",
              BucketSettings.put(S3aKey.CONDITIONAL, "false"));
    }
    if (small && large) {
      return Immutable.listOf();
    }
    return session
        .settings()
        .finding(
            small ? Severity.INFO : Severity.WARNING,
            S3aKey.CONDITIONAL,
            (small
                    ? "The store heeds the condition of a file of one request, and not of one in"
                        + " parts (from fs.s3a.multipart.size on)"
                    : "The store takes conditional requests and heeds no condition, as Ceph does in"
                        + " a bucket with versions")
                + ": of two writers that each make such a file first, both believe it.",
            "Where programs ask for it, have them refused rather than deceived: "
                + BucketSettings.put(S3aKey.CONDITIONAL, "false"));
  }

  /** Whether the second of two writers is refused, and for that reason. */
  private static boolean isMadeOnce(StoreSession session, Path file, int bytes) throws IOException {
    create(session, file, bytes);
    try {
      create(session, file, bytes);
      return false;
    } catch (IOException e) {
      if (StoreFailure.of(e).isPresent()) {
        throw e;
      }
      return true;
    }
  }

  private static void create(StoreSession session, Path file, int bytes) throws IOException {
    FSDataOutputStreamBuilder<?, ?> builder = session.fs().createFile(file).overwrite(true);
    builder.must(CONDITION, true);
    try (FSDataOutputStream out = builder.build()) {
      out.write(new byte[bytes]);
    }
  }

  /** Whether files larger than a part arrive whole. */
  static List<Finding> multipart(StoreSession session) throws IOException {
    Path file = session.scratch("parts");
    session.write(session.fs(), file, new byte[BYTES_IN_PARTS]);
    long length = session.fs().getFileStatus(file).getLen();
    return length == BYTES_IN_PARTS
        ? Immutable.listOf()
        : BucketSettings.answered(
            "multipart upload",
            length + " bytes",
            "An upload of " + BYTES_IN_PARTS + " bytes in parts has another length.",
            "Do not use this store for data: look at its log.");
  }

  /** Whether a reader hears of it when its file is replaced while it reads. */
  static List<Finding> overwrite(StoreSession session) throws IOException {
    Path file = session.scratch("replaced");
    FileSystem fs = session.fs();
    byte[] bytes = new byte[REPLACED_BYTES];
    session.write(fs, file, bytes);
    FileStatus found = fs.getFileStatus(file);
    if (!(found instanceof EtagSource) || ((EtagSource) found).getEtag() == null) {
      return Immutable.listOf(
          Finding.warning(
              "etag",
              "none",
              "the store's answer",
              "Objects have no etag: nobody notices when one is replaced.",
              "Look at proxies between here and the gateway."));
    }
    try (FSDataInputStream in = fs.open(file)) {
      in.readFully(0, new byte[1]);
      Arrays.fill(bytes, (byte) 1);
      session.write(fs, file, bytes);
      in.readFully(REPLACED_BYTES - 1, new byte[1]);
      in.readFully(REPLACED_BYTES / 2, new byte[1]);
    } catch (IOException e) {
      if (StoreFailure.of(e).map(StoreFailure::ends).orElse(false)) {
        throw e;
      }
      // As it should be.
      return Immutable.listOf();
    }
    String key = S3aKey.STREAM;
    return session
        .settings()
        .warning(
            key,
            "A file was replaced while it was read, and the reader got parts of both: a job"
                + " that reads what another writes takes it for data.",
            BucketSettings.put(key, S3aKey.CLASSIC));
  }
}
