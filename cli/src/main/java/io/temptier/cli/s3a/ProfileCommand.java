// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.s3a;

import io.temptier.cli.CommandFailure;
import io.temptier.cli.ExitCodes;
import io.temptier.cli.Terminal;
import io.temptier.s3a.endpoint.Endpoints;
import io.temptier.s3a.profile.ContainerMemory;
import io.temptier.s3a.profile.HadoopVersion;
import io.temptier.s3a.profile.Profile;
import io.temptier.s3a.profile.S3aWorkload;
import io.temptier.s3a.profile.SiteXml;
import io.temptier.s3a.profile.UploadBufferPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.hadoop.util.VersionInfo;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "profile",
    description = {
      "Prints the part of core-site.xml that suits a workload on Ceph's gateway.",
      "Each property says why, what it costs, on whose word, and what Hadoop's default is."
    },
    exitCodeList = {"0:printed", "1:refused: upload buffers could run out", "2:wrong use"},
    sortOptions = false)
public final class ProfileCommand implements Callable<Integer> {
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
  private Profile.Committer committer = Profile.Committer.MAGIC;

  @Option(
      names = "--memory",
      paramLabel = "SIZE",
      description = "Memory of one container, such as 4g. Upload buffers are planned by it.")
  private @Nullable String memory;

  @Option(
      names = "--streams",
      paramLabel = "N",
      description = "Files that one container writes at a time; needed with --memory.")
  private @Nullable Integer streams;

  @Option(
      names = "--heap",
      paramLabel = "SIZE",
      description = "Heap of one container. Default: 0.8 of --memory, as Hadoop makes it.")
  private @Nullable String heap;

  @Option(
      names = "--buffer",
      paramLabel = "KIND",
      description =
          "Insist on disk, array or bytebuffer; refused if it can run out. Default: the fastest"
              + " that holds.")
  private UploadBufferPlan.@Nullable Buffer buffer;

  @Option(
      names = "--active-blocks",
      paramLabel = "N",
      defaultValue = "" + UploadBufferPlan.DEFAULT_ACTIVE_BLOCKS,
      description = "Blocks of one file that are uploaded at a time. Default: ${DEFAULT-VALUE}.")
  private int activeBlocks;

  @Option(
      names = "--part-size",
      paramLabel = "SIZE",
      defaultValue = "64m",
      description = "Size of a block. Default: ${DEFAULT-VALUE}.")
  private String partSize = "64m";

  @Override
  public Integer call() {
    try {
      Profile profile =
          Profile.of(
              S3aWorkload.parse(workload),
              version(),
              committer,
              Endpoints.parse(endpoints),
              uploads());
      terminal.out().print(SiteXml.fragment(profile));
      return ExitCodes.FINE;
    } catch (UploadBufferPlan.UnsafeException e) {
      throw new CommandFailure(String.valueOf(e.getMessage()), e);
    } catch (IllegalArgumentException e) {
      throw terminal.wrongUse(String.valueOf(e.getMessage()));
    }
  }

  private HadoopVersion version() {
    String asked = hadoop == null ? VersionInfo.getVersion() : hadoop;
    String unknown =
        hadoop == null ? "this runs with Hadoop %s, which is unknown" : "--hadoop %s is unknown";
    String nearest =
        ": S3A was read in %s. Give the nearest with --hadoop, and try the result first.";
    return HadoopVersion.of(asked)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    String.format(unknown + nearest, asked, HadoopVersion.known())));
  }

  private UploadBufferPlan uploads() {
    if (memory == null && (streams != null || heap != null)) {
      throw new IllegalArgumentException(
          (streams == null ? "--heap" : "--streams") + " says nothing without --memory");
    }
    if (memory != null && streams == null) {
      throw new IllegalArgumentException(
          "--memory needs --streams, the number of files a container writes at a time");
    }
    return UploadBufferPlan.of(
        Optional.ofNullable(buffer),
        Optional.ofNullable(memory).map(this::container),
        streams == null ? 1 : streams,
        activeBlocks,
        terminal.size("--part-size", partSize));
  }

  private ContainerMemory container(String total) {
    long bytes = terminal.size("--memory", total);
    return heap == null
        ? ContainerMemory.of(bytes)
        : ContainerMemory.of(bytes, terminal.size("--heap", heap));
  }
}
