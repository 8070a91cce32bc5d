// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.s3a.doctor;

import io.temptier.cli.doctor.Paste;
import io.temptier.tier.Finding;
import io.temptier.tier.Finding.Severity;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FSDataOutputStreamBuilder;
import org.apache.hadoop.fs.Path;

/** Whether the store makes an object only if it is not there yet, when S3A asks for that. */
final class ConditionalCreateCheck implements StoreCheck {
  /** Hadoop's {@code Options.CreateFileOptionKeys}. */
  private static final String OPTION = "fs.option.create.conditional.overwrite";

  @Override
  public Topic topic() {
    return Topic.WRITES;
  }

  @Override
  public String question() {
    return "make a file only if it is not there";
  }

  @Override
  public List<Finding> check(Visit visit) throws IOException {
    Path file = visit.scratch("conditional");
    if (!visit.fs().hasPathCapability(file, OPTION)) {
      return List.of();
    }
    try {
      create(visit, file);
    } catch (IOException e) {
      if (Symptom.of(e) != null) {
        throw e;
      }
      return List.of(
          finding(
              visit,
              "The store refuses conditional requests ("
                  + Symptom.first(e)
                  + "): files that must"
                  + " not be there yet cannot be made."));
    }
    try {
      create(visit, file);
    } catch (IOException e) {
      // As it should be.
      return List.of();
    }
    return List.of(
        finding(
            visit,
            "The store takes conditional requests and heeds no condition: of two writers that each"
                + " make the file first, both believe it."));
  }

  private static void create(Visit visit, Path file) throws IOException {
    FSDataOutputStreamBuilder<?, ?> builder = visit.fs().createFile(file).overwrite(true);
    builder.must(OPTION, true);
    try (FSDataOutputStream out = builder.build()) {
      out.write(1);
    }
  }

  private static Finding finding(Visit visit, String consequence) {
    return visit
        .subject()
        .finding(
            Severity.WARNING,
            Keys.CONDITIONAL,
            consequence,
            Paste.into(Subject.CORE_SITE, Keys.CONDITIONAL, "false"));
  }
}
