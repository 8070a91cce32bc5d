// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.s3a.doctor;

import io.temptier.cli.doctor.Secrets;
import io.temptier.tier.Finding;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;

/** Keeps keys out of the report, also where the store or an exception repeats them. */
final class Redaction {
  private static final String REDACTED = "<redacted>";

  private final Secrets byKey;
  private final List<String> values;

  private Redaction(Secrets byKey, List<String> values) {
    this.byKey = byKey;
    this.values = values;
  }

  /** Of the keys that a configuration, or a credential store it names, holds. */
  static Redaction of(Configuration conf) {
    List<String> values = new ArrayList<>();
    for (String key : List.of(Keys.ACCESS_KEY, Keys.SECRET_KEY, Keys.SESSION_TOKEN)) {
      try {
        char[] password = conf.getPassword(key);
        if (password != null && !new String(password).isBlank()) {
          values.add(new String(password).trim());
        }
      } catch (IOException e) {
        // A credential store that cannot be read: S3A could not read it either, and says so.
        values.add(conf.getTrimmed(key, ""));
      }
    }
    values.removeIf(String::isEmpty);
    return new Redaction(new Secrets(conf), values);
  }

  /** The finding without them. */
  Finding of(Finding finding) {
    Finding safe = byKey.redact(finding);
    return new Finding(
        safe.severity(),
        safe.key(),
        without(safe.value()),
        without(safe.origin()),
        without(safe.consequence()),
        without(safe.remedy()));
  }

  private String without(String text) {
    String safe = text;
    for (String value : values) {
      safe = safe.replace(value, REDACTED);
    }
    return safe;
  }
}
