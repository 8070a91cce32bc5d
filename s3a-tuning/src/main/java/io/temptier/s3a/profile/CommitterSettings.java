// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.profile;

import io.temptier.tier.Immutable;
import java.util.List;

/** How jobs commit without renaming, in Hadoop, MapReduce and Spark. */
final class CommitterSettings {
  static final String NAME = "fs.s3a.committer.name";
  static final String FACTORY = "mapreduce.outputcommitter.factory.scheme.s3a";

  static final Source COMMITTERS = Source.measured("Committers");
  private static final Source FUTURE_WORK = Source.document("Future Work");

  private CommitterSettings() {}

  /** For core-site.xml. */
  static List<Setting> of(Committer committer) {
    String cost;
    switch (committer) {
      case MAGIC:
        cost =
            "Uploads of a job that died stay until they are aborted. Works only where "
                + FACTORY
                + " is bound.";
        break;
      case DIRECTORY:
        cost =
            "Tasks write their whole output to fs.s3a.buffer.dir before they upload it: it"
                + " must fit there, and those files are placed by stock Hadoop.";
        break;
      default:
        throw new AssertionError(committer);
    }
    Setting name =
        Setting.of(
            NAME,
            committer.label(),
            "The file committer renames, and S3 copies each object for it. The paper's TeraGen"
                + " wrote about 2.5 times as fast with S3A's committers.",
            cost,
            FUTURE_WORK,
            COMMITTERS);
    Setting others =
        Setting.of(
            "fs.s3a.committer.abort.pending.uploads",
            "false",
            "With true, Hadoop's default, a job that commits aborts all uploads below its output"
                + " folder: of two jobs into one folder the second loses its output.",
            "Uploads of jobs that died stay longer: give the bucket a lifecycle rule.",
            COMMITTERS,
            Source.hadoop("AbstractS3ACommitter"));
    switch (committer) {
      case MAGIC:
        return Immutable.listOf(
            name,
            others,
            Setting.of(
                "fs.s3a.committer.magic.enabled",
                "true",
                "Hadoop's default, set because older files switch it off; the magic committer"
                    + " then fails.",
                "Paths with a component __magic are special.",
                Source.hadoop("core-default.xml")),
            Setting.of(
                "fs.s3a.directory.operations.purge.uploads",
                "true",
                "When a dir is deleted or renamed, the uploads that killed jobs left below it go,"
                    + " too. They hold space that no listing of files shows.",
                "One more listing for each such dir; a job that still writes below it fails. Give"
                    + " the bucket a lifecycle rule as well, for what no job deletes.",
                COMMITTERS,
                Source.hadoop("DeleteOperation, RenameOperation")));
      case DIRECTORY:
        return Immutable.listOf(
            name,
            others,
            Setting.of(
                "fs.s3a.committer.staging.conflict-mode",
                "append",
                "What to do where the output is already: append, replace or fail. Hadoop's"
                    + " default.",
                "append mixes the output with what was there.",
                Source.hadoop("core-default.xml")),
            Setting.of(
                "fs.s3a.committer.staging.tmp.path",
                "tmp/staging",
                "Where tasks leave the list of what they uploaded, relative to the user's home on"
                    + " the cluster's file system. Hadoop's default.",
                "Needs HDFS, or another file system that all nodes share, as fs.defaultFS.",
                Source.hadoop("core-default.xml")));
      default:
        throw new AssertionError(committer);
    }
  }
}
