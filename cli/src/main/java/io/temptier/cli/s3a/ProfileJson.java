// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.s3a;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.temptier.s3a.profile.HadoopVersion;
import io.temptier.s3a.profile.Profile;
import io.temptier.s3a.profile.ProfileRequest;
import io.temptier.s3a.profile.Remark;
import io.temptier.s3a.profile.Setting;
import io.temptier.s3a.profile.Source;
import io.temptier.s3a.profile.UploadBufferPlan;
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
    ArrayNode remarks = root.putArray("remarks");
    for (Remark remark : profile.remarks()) {
      remarks.addObject().put("key", remark.key()).put("text", remark.text());
    }
    root.set("uploadBuffer", of(profile.plan()));
    return root;
  }

  private static ObjectNode of(Setting setting, HadoopVersion version) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("key", setting.key());
    node.put("value", setting.value());
    node.put("default", version.keys().defaultOf(setting.key()).orElse(null));
    node.put("why", setting.why());
    node.put("cost", setting.cost());
    ArrayNode sources = node.putArray("sources");
    for (Source source : setting.sources()) {
      sources
          .addObject()
          .put("kind", source.kind().name().toLowerCase(Locale.ROOT))
          .put("where", source.where());
    }
    ArrayNode versions = node.putArray("versions");
    setting.versions().forEach(known -> versions.add(known.number()));
    return node;
  }

  private static ObjectNode of(UploadBufferPlan plan) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("buffer", plan.buffer().label());
    node.put("streams", plan.request().streams());
    node.put("activeBlocks", plan.request().activeBlocks());
    node.put("partBytes", plan.request().partBytes());
    node.put("needBytes", plan.request().needBytes());
    plan.request().memory().ifPresent(m -> node.put("memoryBytes", m.totalBytes()));
    plan.request().memory().ifPresent(m -> node.put("heapBytes", m.heapBytes()));
    ArrayNode arithmetic = node.putArray("arithmetic");
    plan.arithmetic().forEach(arithmetic::add);
    return node;
  }
}
