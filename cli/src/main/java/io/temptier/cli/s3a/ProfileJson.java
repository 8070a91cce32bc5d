// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.s3a;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.temptier.s3a.profile.HadoopVersion;
import io.temptier.s3a.profile.Profile;
import io.temptier.s3a.profile.ProfileRequest;
import io.temptier.s3a.profile.Setting;
import io.temptier.s3a.profile.Source;
import io.temptier.s3a.profile.UploadBufferPlan;
import io.temptier.s3a.profile.UploadBufferRequest;
import java.util.Locale;

/** A profile for programs. */
final class ProfileJson {
  private ProfileJson() {}

  static JsonNode of(Profile profile) {
    ProfileRequest request = profile.request();
    HadoopVersion version = request.versions().get(0);
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    root.put("workload", request.workload().label());
    root.put("hadoop", version.number());
    ArrayNode settings = root.putArray("settings");
    profile.settings().forEach(setting -> settings.add(of(setting, version)));
    root.putPOJO("remarks", profile.remarks());
    root.set("uploadBuffer", of(profile.plan()));
    return root;
  }

  private static ObjectNode of(Setting setting, HadoopVersion version) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("key", setting.key())
        .put("value", setting.value())
        .put("default", version.keys().defaultOf(setting.key()).orElse(null))
        .put("why", setting.why())
        .put("cost", setting.cost());
    ArrayNode sources = node.putArray("sources");
    for (Source source : setting.sources()) {
      sources
          .addObject()
          .put("kind", source.kind().name().toLowerCase(Locale.ROOT))
          .put("where", source.where());
    }
    return node.putPOJO(
        "versions", setting.versions().stream().map(HadoopVersion::number).toList());
  }

  private static ObjectNode of(UploadBufferPlan plan) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    UploadBufferRequest request = plan.request();
    node.put("buffer", plan.buffer().label())
        .put("streams", request.streams())
        .put("activeBlocks", request.activeBlocks())
        .put("partBytes", request.partBytes())
        .put("needBytes", request.needBytes());
    request
        .memory()
        .ifPresent(m -> node.put("memoryBytes", m.totalBytes()).put("heapBytes", m.heapBytes()));
    return node.putPOJO("arithmetic", plan.arithmetic());
  }
}
