// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.s3a.doctor;

import io.temptier.tier.Finding;
import io.temptier.tier.Finding.Severity;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;

/**
 * Whether lists come page by page, whole and in order; and whether what they name can be deleted at
 * once.
 */
final class ListingCheck implements StoreCheck {
  private static final int FILES = 7;

  @Override
  public Topic topic() {
    return Topic.BUCKET;
  }

  @Override
  public String question() {
    return "list files in pages and delete them together";
  }

  @Override
  public List<Finding> check(Visit visit) throws IOException {
    Path folder = visit.scratch("list");
    List<String> expected = new ArrayList<>();
    List<Finding> findings = new ArrayList<>();
    for (int i = 0; i < FILES; i++) {
      Path file = new Path(folder, "file-" + i);
      expected.add(file.getName());
      visit.write(visit.fs(), file, new byte[] {1});
    }
    List<String> listed = list(visit.fs(), folder);
    if (!listed.equals(expected)) {
      findings.add(
          new Finding(
              Severity.ERROR,
              "list",
              String.join(", ", listed),
              "the store's answer",
              "A list in pages of "
                  + Visit.PAGE
                  + " should have been "
                  + String.join(", ", expected)
                  + ": jobs miss input, or read it twice.",
              "Try fs.s3a.list.version 1, and look at the gateway's log."));
    }
    deleteTogether(visit, visit.fs(), folder, findings);
    return findings;
  }

  private static void deleteTogether(
      Visit visit, FileSystem fs, Path folder, List<Finding> findings) throws IOException {
    try {
      boolean unused = fs.delete(folder, true);
    } catch (IOException e) {
      if (Symptom.of(e) != null) {
        throw e;
      }
      findings.add(
          visit
              .subject()
              .finding(
                  Severity.ERROR,
                  Keys.BULK_DELETE,
                  "The store cannot delete many objects by one request ("
                      + Symptom.first(e)
                      + "): directories cannot be deleted.",
                  "Set " + Keys.BULK_DELETE + " to false."));
      return;
    }
    List<String> left = fs.exists(folder) ? list(fs, folder) : List.of();
    if (!left.isEmpty()) {
      findings.add(
          new Finding(
              Severity.ERROR,
              Keys.BULK_DELETE,
              String.join(", ", left),
              "the store's answer",
              "Still listed after they were deleted.",
              "Look at the gateway's log, and try " + Keys.BULK_DELETE + " false."));
    }
  }

  private static List<String> list(FileSystem fs, Path folder) throws IOException {
    List<String> names = new ArrayList<>();
    RemoteIterator<FileStatus> files = fs.listStatusIterator(folder);
    while (files.hasNext()) {
      names.add(files.next().getPath().getName());
    }
    return names;
  }
}
