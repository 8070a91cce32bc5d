// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.profile;

import java.util.ArrayList;
import java.util.List;

/** How jobs commit without renaming, in Hadoop, MapReduce and Spark. */
final class CommitterSettings {
  static final String NAME = "fs.s3a.committer.name";
  static final String FACTORY = "mapreduce.outputcommitter.factory.scheme.s3a";

  private static final Source COMMITTERS = Source.measured("Committers");
  private static final Source FUTURE_WORK = Source.document("Future Work");

  private CommitterSettings() {}

  /** For core-site.xml. */
  static List<Setting> of(Committer committer) {
    List<Setting> settings = new ArrayList<>();
    settings.add(
        new Setting(
            NAME,
            committer.label(),
            "The file committer renames, and S3 copies each object for it. The paper's TeraGen"
                + " wrote about 2.5 times as fast with S3A's committers.",
            switch (committer) {
              case MAGIC ->
                  "Uploads of a job that died stay until they are aborted. Works only where "
                      + FACTORY
                      + " is bound.";
              case DIRECTORY ->
                  "Tasks write their whole output to fs.s3a.buffer.dir before they upload it: it"
                      + " must fit there, and those files are placed by stock Hadoop.";
            },
            FUTURE_WORK,
            COMMITTERS));
    if (committer == Committer.MAGIC) {
      settings.add(
          new Setting(
              "fs.s3a.committer.magic.enabled",
              "true",
              "Hadoop's default, set because older files switch it off; the magic committer then"
                  + " fails.",
              "Paths with a component __magic are special.",
              Source.hadoop("core-default.xml")));
      settings.add(
          new Setting(
              "fs.s3a.directory.operations.purge.uploads",
              "true",
              "When a dir is deleted or renamed, the uploads that killed jobs left below it go,"
                  + " too. They hold space that no listing of files shows.",
              "One more listing for each such dir; a job that still writes below it fails. Give the"
                  + " bucket a lifecycle rule as well, for what no job deletes.",
              COMMITTERS,
              Source.hadoop("DeleteOperation, RenameOperation")));
    } else {
      settings.add(
          new Setting(
              "fs.s3a.committer.staging.conflict-mode",
              "append",
              "What to do where the output is already: append, replace or fail. Hadoop's default.",
              "append mixes the output with what was there.",
              Source.hadoop("core-default.xml")));
      settings.add(
          new Setting(
              "fs.s3a.committer.staging.tmp.path",
              "tmp/staging",
              "Where tasks leave the list of what they uploaded, relative to the user's home on the"
                  + " cluster's file system. Hadoop's default.",
              "Needs HDFS, or another file system that all nodes share, as fs.defaultFS.",
              Source.hadoop("core-default.xml")));
    }
    return settings;
  }

  /** For mapred-site.xml. */
  static List<Setting> ofMapReduce() {
    return List.of(
        new Setting(
            FACTORY,
            "org.apache.hadoop.fs.s3a.commit.S3ACommitterFactory",
            "Gives jobs whose output is on s3a the committer that "
                + NAME
                + " names. Hadoop's default, set because the committer has no effect without it.",
            "None. Do not set mapreduce.outputcommitter.factory.class, which would take its place.",
            Source.hadoop("mapred-default.xml"),
            COMMITTERS));
  }

  /** For spark-defaults.conf, beside the properties of Hadoop. */
  static List<Setting> ofSpark() {
    Source spark = Source.spark("Integration with Cloud Infrastructures");
    return List.of(
        new Setting(
            "spark.sql.sources.commitProtocolClass",
            "org.apache.spark.internal.io.cloud.PathOutputCommitProtocol",
            "Lets Spark SQL ask Hadoop for the committer of the path, instead of its own that"
                + " renames.",
            "Needs Spark's hadoop-cloud module on its class path, and no dynamic overwrite of"
                + " partitions.",
            spark),
        new Setting(
            "spark.sql.parquet.output.committer.class",
            "org.apache.spark.internal.io.cloud.BindingParquetOutputCommitter",
            "Parquet insists on a committer of its own class; this one passes on to the path's.",
            "Needs Spark's hadoop-cloud module on its class path.",
            spark));
  }
}
