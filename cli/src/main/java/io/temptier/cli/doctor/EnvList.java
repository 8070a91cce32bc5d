// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.doctor;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;

/** A variable of containers' environment, in both forms in which Hadoop takes it. */
final class EnvList {
  private EnvList() {}

  /**
   * What a property such as {@code mapreduce.map.env} makes of a variable: by {@code A=1,B=2} as
   * its own value, or by {@code mapreduce.map.env.A}.
   *
   * @return the values by the property that has them; empty when there is none
   */
  static Map<String, String> of(Configuration conf, String property, String variable) {
    Map<String, String> found = new LinkedHashMap<>();
    Matcher listed =
        Pattern.compile("(?:^|,)\\s*" + Pattern.quote(variable) + "=([^,]*)")
            .matcher(conf.get(property, ""));
    while (listed.find()) {
      found.put(property, listed.group(1).trim());
    }
    String own = conf.getTrimmed(property + "." + variable, "");
    if (!own.isEmpty()) {
      found.put(property + "." + variable, own);
    }
    return found;
  }
}
