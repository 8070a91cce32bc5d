// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.s3a.doctor;

import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.s3a.AWSUnsupportedFeatureException;
import org.apache.hadoop.fs.s3a.S3AFileSystem;

/** Removes what the doctor wrote: objects, and uploads that were begun. */
final class CleanUp {
  private CleanUp() {}

  /**
   * Removes it, and closes the visit.
   *
   * @return what is left; empty when nothing is
   */
  static String run(Visit visit) throws IOException {
    try (visit) {
      FileSystem fs = visit.fs();
      try {
        ((S3AFileSystem) fs).getS3AInternals().abortMultipartUploads(visit.scratch());
      } catch (AWSUnsupportedFeatureException e) {
        // Some stores do not list them; what the checks begin they end themselves.
      }
      boolean unused = fs.delete(visit.scratch(), true);
      try {
        return fs.listStatus(visit.scratch()).length + " files are left in it.";
      } catch (FileNotFoundException e) {
        return "";
      }
    }
  }
}
