// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.s3a.doctor;

import io.temptier.cli.doctor.Paste;
import io.temptier.tier.Finding;
import io.temptier.tier.Finding.Severity;
import java.util.List;

/** Whether jobs commit without renaming, which in S3 is copying. */
final class CommitterCheck implements SettingsCheck {
  private static final String FACTORY = "mapreduce.outputcommitter.factory.scheme.s3a";
  private static final String OURS = "org.apache.hadoop.fs.s3a.commit.S3ACommitterFactory";

  @Override
  public Topic topic() {
    return Topic.SETTINGS;
  }

  @Override
  public List<Finding> check(Subject subject) {
    String committer = subject.value(Keys.COMMITTER);
    if (committer.isEmpty() || committer.equals("file")) {
      return List.of(
          subject.finding(
              Severity.WARNING,
              Keys.COMMITTER,
              "Jobs commit by renaming: the store copies each object for it, and a job that dies"
                  + " in the middle leaves half of its output.",
              Paste.into(Subject.CORE_SITE, Keys.COMMITTER, "magic")));
    }
    if (committer.equals("magic") && !subject.conf().getBoolean(Keys.MAGIC, true)) {
      return List.of(
          subject.finding(
              Severity.ERROR,
              Keys.MAGIC,
              "The magic committer is chosen and switched off: jobs fail when they begin.",
              Paste.into(Subject.CORE_SITE, Keys.MAGIC, "true")));
    }
    if (!subject.value(FACTORY).equals(OURS)) {
      return List.of(
          subject.finding(
              Severity.WARNING,
              FACTORY,
              "MapReduce does not use S3A's committers, " + Keys.COMMITTER + " or not.",
              Paste.into("mapred-site.xml", FACTORY, OURS)));
    }
    return List.of();
  }
}
