// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.s3a;

import io.temptier.cli.CommandFailure;
import io.temptier.cli.ExitCodes;
import io.temptier.cli.Terminal;
import io.temptier.s3a.endpoint.Endpoints;
import io.temptier.s3a.profile.Committer;
import io.temptier.s3a.profile.HadoopVersion;
import io.temptier.s3a.profile.Profile;
import io.temptier.s3a.profile.ProfileRequest;
import io.temptier.s3a.profile.SiteXml;
import io.temptier.s3a.profile.UnsafePlanException;
import io.temptier.s3a.profile.Workload;
import io.temptier.tier.lang.Immutable;
import java.util.ArrayList;
import java.util.List;
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
    exitCodeList = {"0:printed", "1:refused: upload buffers could run out", "2:wrong use"},
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

  @Override
  public Integer call() {
    try {
      terminal.out().print(SiteXml.fragment(Profile.of(request())));
      return ExitCodes.FINE;
    } catch (UnsafePlanException e) {
      throw new CommandFailure(String.valueOf(e.getMessage()), e);
    }
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
}
