// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.doctor;

import io.temptier.tier.text.Finding;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.ConfigRedactor;
import org.apache.hadoop.conf.Configuration;

/**
 * Keeps secrets out of reports, which operators paste into tickets: the values of keys that are
 * called so, known values wherever a store or an exception repeats them, and users of URLs.
 */
public final class Secrets {
  private static final String REDACTED = "<redacted>";

  /** Beyond Hadoop's own list, which names no key that it does not know. */
  private static final Pattern KEY =
      Pattern.compile(
          "password|passwd|secret|token|credential(?!s?\\.provider)", Pattern.CASE_INSENSITIVE);

  /** A user, and a password, that a URL holds, or what was meant to be one; no path of files. */
  private static final Pattern OF_URL = Pattern.compile("(?<=(?<!/)//)[^/@\\s]+@");

  /** Least length of a secret that is looked for in texts: shorter ones stand there by chance. */
  private static final int LEAST_ANYWHERE = 8;

  private static final int LEAST_WORD = 4;

  private final ConfigRedactor hadoop;
  private final List<String> values = new ArrayList<>();

  /** Collects the values of keys, from a configuration or a credential store that it names. */
  public Secrets(Configuration conf, String... keys) {
    hadoop = new ConfigRedactor(conf);
    for (String key : keys) {
      String value = conf.getTrimmed(key, "");
      try {
        char[] password = conf.getPassword(key);
        value = password == null ? value : new String(password).trim();
      } catch (IOException e) {
        // A credential store that cannot be read: what the file says is all that is known.
      }
      values.add(value);
    }
    values.removeIf(String::isEmpty);
  }

  public String shown(String key, String value) {
    return isSecret(key, value) ? REDACTED : without(value);
  }

  private boolean isSecret(String key, String value) {
    return KEY.matcher(key).find() || !value.equals(hadoop.redact(key, value));
  }

  Finding without(Finding finding) {
    String value = finding.value();
    boolean secret = isSecret(finding.key(), value) || values.contains(value);
    List<String> all = new ArrayList<>(values);
    if (secret) {
      all.add(0, value);
    }
    return Finding.of(
        finding.severity(),
        finding.key(),
        // However short it is.
        secret && !value.isEmpty() ? REDACTED : without(value, all),
        without(finding.origin(), values),
        without(finding.consequence(), all),
        without(finding.remedy(), all));
  }

  String without(String text) {
    return without(text, values);
  }

  private static String without(String text, List<String> values) {
    String safe = OF_URL.matcher(text).replaceAll(REDACTED + "@");
    for (String value : values) {
      if (value.length() >= LEAST_ANYWHERE) {
        safe = safe.replace(value, REDACTED);
      } else if (value.length() >= LEAST_WORD) {
        String word = "(?<!\\w)" + Pattern.quote(value) + "(?!\\w)";
        safe = safe.replaceAll(word, REDACTED);
      }
    }
    return safe;
  }
}
