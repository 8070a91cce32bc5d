// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.s3a.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.temptier.cli.doctor.DoctorJson;
import io.temptier.tier.Finding.Severity;
import java.util.Locale;

/** The report for programs. */
final class StoreDoctorJson {
  private StoreDoctorJson() {}

  static JsonNode of(StoreDiagnosis diagnosis) {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    root.put("bucket", diagnosis.bucket());
    root.put("ready", diagnosis.ready());
    root.put("verdict", diagnosis.verdict());
    root.put("errors", diagnosis.count(Severity.ERROR));
    root.put("warnings", diagnosis.count(Severity.WARNING));
    ArrayNode files = root.putArray("files");
    diagnosis.files().forEach(files::add);
    ArrayNode findings = root.putArray("findings");
    diagnosis
        .findings()
        .forEach(
            (topic, found) -> {
              String word = topic.name().toLowerCase(Locale.ROOT);
              found.forEach(finding -> findings.add(DoctorJson.of(word, finding)));
            });
    ObjectNode unasked = root.putObject("unasked");
    diagnosis
        .unasked()
        .forEach(
            (why, questions) -> {
              ArrayNode all = unasked.putArray(why);
              questions.forEach(all::add);
            });
    return root;
  }
}
