/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
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
