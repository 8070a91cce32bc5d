// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.s3a.doctor;

import io.temptier.cli.doctor.SiteFile;
import io.temptier.tier.Finding;
import io.temptier.tier.Finding.Severity;
import io.temptier.tier.NearestName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Whether secrets lie open, and whether S3A reads what is set. */
final class KeysCheck implements SettingsCheck {
  private static final String PREFIX = "fs.s3a.";
  private static final String OF_BUCKETS = "fs.s3a.bucket.";
  private static final Set<String> OBSOLETE =
      Set.of("fs.s3a.fast.upload", "fs.s3a.prefetch.enabled", "fs.s3a.metadatastore.impl");
  private static final List<String> SECRETS =
      List.of(Keys.ACCESS_KEY, Keys.SECRET_KEY, Keys.SESSION_TOKEN);

  @Override
  public Topic topic() {
    return Topic.SETTINGS;
  }

  @Override
  public List<Finding> check(Subject subject) {
    List<Finding> findings = new ArrayList<>();
    for (SiteFile file : subject.rollout().files()) {
      SECRETS.stream()
          .filter(key -> !file.of(key).isEmpty() && openToAll(file))
          .findFirst()
          .ifPresent(key -> findings.add(open(subject, key, file)));
    }
    Subject.hadoop()
        .ifPresent(
            version -> {
              Set<String> known = version.keys().all().keySet();
              for (String key : subject.rollout().keys()) {
                if (OBSOLETE.contains(key)) {
                  findings.add(obsolete(subject, key));
                } else if (key.startsWith(PREFIX)
                    && !key.startsWith(OF_BUCKETS)
                    && !known.contains(key)) {
                  findings.add(unknown(subject, key, NearestName.of(key, known)));
                }
              }
            });
    return findings;
  }

  private static boolean openToAll(SiteFile file) {
    try {
      return Files.getPosixFilePermissions(file.path()).contains(PosixFilePermission.OTHERS_READ);
    } catch (IOException | UnsupportedOperationException e) {
      return false;
    }
  }

  private static Finding open(Subject subject, String key, SiteFile file) {
    return subject.finding(
        Severity.WARNING,
        key,
        "Every user of this machine can read the keys in " + file.path() + ".",
        "Put them into a credential store (hadoop credential create "
            + key
            + "), name it in"
            + " hadoop.security.credential.provider.path, and take them out of the file.");
  }

  private static Finding obsolete(Subject subject, String key) {
    return subject.finding(
        Severity.INFO,
        key,
        key.equals("fs.s3a.prefetch.enabled")
            ? "Deprecated. true overrides " + Keys.STREAM + " with the prefetch stream."
            : "Obsolete: it has no effect.",
        "Take it out.");
  }

  private static Finding unknown(Subject subject, String key, Optional<String> near) {
    return subject.finding(
        Severity.INFO,
        key,
        "Nothing in this Hadoop's S3A reads it.",
        near.map(name -> "Did you mean " + name + "?").orElse("Take it out, or look at its name."));
  }
}
