// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.s3a.doctor;

import io.temptier.cli.doctor.Paste;
import io.temptier.s3a.profile.HadoopVersion;
import io.temptier.tier.Finding;
import io.temptier.tier.Finding.Severity;
import java.util.List;
import java.util.stream.Stream;

/** Whether the stream that reads has a use for the policy and the readahead that are set. */
final class StreamCheck implements SettingsCheck {
  private static final String CLASSIC = "classic";
  private static final String DEFAULT = "default";

  @Override
  public Topic topic() {
    return Topic.SETTINGS;
  }

  @Override
  public List<Finding> check(Subject subject) {
    String stream = stream(subject);
    List<String> unheard = Stream.of(Keys.FADVISE, Keys.READAHEAD).filter(subject::isSet).toList();
    if (stream.equals("prefetch")) {
      return List.of(
          subject.finding(
              Severity.WARNING,
              Keys.STREAM,
              "The prefetch stream failed every run of random reads on Ceph.",
              Paste.into(Subject.CORE_SITE, Keys.STREAM, CLASSIC)));
    }
    if (!stream.equals("analytics")) {
      return List.of();
    }
    return List.of(
        subject.finding(
            unheard.isEmpty() ? Severity.INFO : Severity.WARNING,
            Keys.STREAM,
            unheard.isEmpty()
                ? "Reads go through the analytics stream. On Ceph it took 1409 ms for 200 random"
                    + " reads where the classic one took 579 ms, and it missed an overwrite."
                : "Reads go through the analytics stream, under which "
                    + String.join(" and ", unheard)
                    + " have no effect.",
            Paste.into(Subject.CORE_SITE, Keys.STREAM, CLASSIC)));
  }

  /** The stream in effect, by the default of this Hadoop where none is set. */
  static String stream(Subject subject) {
    String value = subject.value(Keys.STREAM);
    if (!value.isEmpty() && !value.equals(DEFAULT)) {
      return value;
    }
    return Subject.hadoop()
        .map(HadoopVersion::keys)
        .flatMap(keys -> keys.defaultOf(Keys.STREAM))
        .orElse(CLASSIC);
  }
}
