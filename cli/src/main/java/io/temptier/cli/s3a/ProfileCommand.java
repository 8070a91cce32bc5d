// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.s3a;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.temptier.cli.CommandFailure;
import io.temptier.cli.ExitCodes;
import io.temptier.cli.JsonFile;
import io.temptier.cli.Terminal;
import io.temptier.cli.WholeFile;
import io.temptier.cli.Wrap;
import io.temptier.s3a.endpoint.Endpoints;
import io.temptier.s3a.profile.Committer;
import io.temptier.s3a.profile.HadoopVersion;
import io.temptier.s3a.profile.Profile;
import io.temptier.s3a.profile.ProfileRequest;
import io.temptier.s3a.profile.Setting;
import io.temptier.s3a.profile.SiteXml;
import io.temptier.s3a.profile.Source;
import io.temptier.s3a.profile.UnsafePlanException;
import io.temptier.s3a.profile.UploadBufferPlan;
import io.temptier.s3a.profile.UploadBufferRequest;
import io.temptier.s3a.profile.Workload;
import io.temptier.tier.lang.Immutable;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.apache.hadoop.util.VersionInfo;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code temptier s3a profile}. */
@Command(
    name = "profile",
    description = {
      "Prints the part of core-site.xml that suits a workload on Ceph's gateway.",
      "Each property says why, what it costs, on whose word, and for which Hadoop it is valid."
    },
    exitCodeList = {
      "0:printed or written",
      "1:refused: upload buffers could run out, or FILE cannot be written",
      "2:wrong use"
    },
    sortOptions = false)
final class ProfileCommand implements Callable<Integer> {
  @Mixin private final Terminal terminal = new Terminal();

  @Option(
      names = "--workload",
      paramLabel = "NAME",
      required = true,
      description =
          "What jobs do most: columnar, scan, mixed, shuffle-free-write; or document, for what the"
              + " paper sets.")
  private String workload = "";

  @Option(
      names = "--hadoop",
      paramLabel = "VERSION",
      description = "The Hadoop that will read it. Default: the one this runs with.")
  private @Nullable String hadoop;

  @Option(
      names = "--endpoint",
      paramLabel = "URL",
      arity = "1..*",
      description = "The gateways, such as http://rgw1:8080. Default: left out.")
  private List<String> endpoints = new ArrayList<>();

  @Option(
      names = "--committer",
      paramLabel = "NAME",
      defaultValue = "magic",
      description = "How jobs commit: magic or directory. Default: ${DEFAULT-VALUE}.")
  private Committer committer = Committer.MAGIC;

  @Mixin private final UploadOptions uploads = new UploadOptions();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description = "Write to a new file, and print a summary instead.")
  private @Nullable Path output;

  @Mixin private final JsonFile json = new JsonFile();

  @Override
  public Integer call() {
    Profile profile = profile(request());
    String xml = SiteXml.fragment(profile);
    PrintWriter out = json.textOf(terminal);
    if (output == null) {
      out.print(xml);
    } else {
      WholeFile.writeNew(output, xml);
      print(out, profile, output);
    }
    json.write(tree(profile), terminal);
    return ExitCodes.FINE;
  }

  private ProfileRequest request() {
    try {
      return ProfileRequest.of(
          Workload.parse(workload),
          Immutable.listOf(version()),
          committer,
          Endpoints.parse(endpoints),
          uploads.request());
    } catch (IllegalArgumentException e) {
      throw terminal.wrongUse(String.valueOf(e.getMessage()));
    }
  }

  private HadoopVersion version() {
    String asked = hadoop == null ? VersionInfo.getVersion() : hadoop;
    String unknown =
        hadoop == null ? "this runs with Hadoop %s, which is unknown" : "--hadoop %s is unknown";
    return HadoopVersion.of(asked)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    String.format(unknown, asked)
                        + ": S3A was read in "
                        + HadoopVersion.known()
                        + ". Give the nearest with --hadoop, and try the result first."));
  }

  private static Profile profile(ProfileRequest request) {
    try {
      return Profile.of(request);
    } catch (UnsafePlanException e) {
      throw new CommandFailure(String.valueOf(e.getMessage()), e);
    }
  }

  /** What a profile that went to a file holds. */
  private void print(PrintWriter out, Profile profile, Path file) {
    out.println(
        String.format(
            "%s, Hadoop %s: %s",
            terminal.styled("bold", "S3A for " + profile.request().workload()),
            profile.request().versions().get(0),
            file));
    profile
        .settings()
        .forEach(one -> Wrap.print(out, one.key() + " = " + one.value(), "  ", "      "));
    out.println();
    out.println(terminal.styled("bold", "Upload buffers"));
    profile.plan().arithmetic().forEach(text -> item(out, text));
    out.println();
    out.println(terminal.styled("bold", "Left out, and to know"));
    profile.remarks().forEach(remark -> item(out, remark.key() + ": " + remark.text()));
  }

  private static void item(PrintWriter out, String text) {
    Wrap.print(out, text, "  - ", "    ");
  }

  /** A profile for programs. */
  private static JsonNode tree(Profile profile) {
    ProfileRequest request = profile.request();
    HadoopVersion version = request.versions().get(0);
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    root.put("workload", request.workload().label());
    root.put("hadoop", version.number());
    ArrayNode settings = root.putArray("settings");
    profile.settings().forEach(setting -> settings.add(tree(setting, version)));
    root.putPOJO("remarks", profile.remarks());
    root.set("uploadBuffer", tree(profile.plan()));
    return root;
  }

  private static ObjectNode tree(Setting setting, HadoopVersion version) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("key", setting.key())
        .put("value", setting.value())
        .put("default", version.defaultOf(setting.key()).orElse(null))
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
        "versions",
        setting.versions().stream().map(HadoopVersion::number).collect(Immutable.toList()));
  }

  private static ObjectNode tree(UploadBufferPlan plan) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    UploadBufferRequest request = plan.request();
    node.put("buffer", plan.buffer().toString())
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
