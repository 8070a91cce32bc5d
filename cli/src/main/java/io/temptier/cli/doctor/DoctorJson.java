// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.temptier.tier.Finding;
import io.temptier.tier.Finding.Severity;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Tier;
import java.util.Locale;

/** The doctor's report for programs. */
public final class DoctorJson {
  private DoctorJson() {}

  static JsonNode of(Diagnosis diagnosis) {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    root.put("confDir", diagnosis.confDir().toString());
    root.put("ready", diagnosis.ready());
    root.put("verdict", diagnosis.verdict());
    root.put("errors", diagnosis.count(Severity.ERROR));
    root.put("unknown", diagnosis.count(Severity.UNKNOWN));
    root.put("warnings", diagnosis.count(Severity.WARNING));
    ArrayNode files = root.putArray("files");
    diagnosis.files().forEach(files::add);
    ArrayNode tiers = root.putArray("tiers");
    diagnosis.tiers().ifPresent(node -> node.layout().tiers().forEach(tier -> tiers.add(of(tier))));
    ArrayNode findings = root.putArray("findings");
    diagnosis
        .findings()
        .forEach(
            (topic, found) ->
                found.forEach(
                    finding -> findings.add(of(topic.name().toLowerCase(Locale.ROOT), finding))));
    return root;
  }

  private static ObjectNode of(Tier tier) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("medium", tier.medium().toString());
    node.put("reserve", tier.reserve().toString());
    ArrayNode dirs = node.putArray("dirs");
    for (LocalDir dir : tier.dirs()) {
      ObjectNode child = dirs.addObject();
      child.put("path", dir.path().toString());
      if (dir.capped()) {
        child.put("capBytes", dir.capBytes());
      }
      child.put("origin", dir.origin());
    }
    return node;
  }

  /**
   * A finding.
   *
   * @param topic the heading it stands under, in one word
   */
  public static ObjectNode of(String topic, Finding finding) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("topic", topic);
    node.put("severity", finding.severity().toString());
    node.put("key", finding.key());
    node.put("value", finding.value());
    node.put("origin", finding.origin());
    node.put("consequence", finding.consequence());
    node.put("remedy", finding.remedy());
    return node;
  }
}
