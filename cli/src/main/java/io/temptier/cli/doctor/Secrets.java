// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.doctor;

import io.temptier.tier.Finding;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.ConfigRedactor;
import org.apache.hadoop.conf.Configuration;

/** Keeps secrets out of reports, which operators paste into tickets. */
public final class Secrets {
  private static final String REDACTED = "<redacted>";

  /** Beyond Hadoop's own list, which names no key that it does not know. */
  private static final Pattern KEY =
      Pattern.compile("password|passwd|secret|token|credential", Pattern.CASE_INSENSITIVE);

  private final ConfigRedactor hadoop;

  /**
   * Of one configuration.
   *
   * @param conf says which keys Hadoop itself takes for secret
   */
  public Secrets(Configuration conf) {
    this.hadoop = new ConfigRedactor(conf);
  }

  /** The finding, its value taken out wherever it stands if its key is that of a secret. */
  public Finding redact(Finding finding) {
    String value = finding.value();
    boolean secret =
        KEY.matcher(finding.key()).find() || !value.equals(hadoop.redact(finding.key(), value));
    if (!secret || value.isEmpty()) {
      return finding;
    }
    return new Finding(
        finding.severity(),
        finding.key(),
        REDACTED,
        finding.origin(),
        finding.consequence().replace(value, REDACTED),
        finding.remedy().replace(value, REDACTED));
  }
}
