// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.s3a;

import io.temptier.s3a.profile.ContainerMemory;
import io.temptier.s3a.profile.UploadBuffer;
import io.temptier.s3a.profile.UploadBufferRequest;
import io.temptier.tier.text.Sizes;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Mixin with what upload buffers are planned by. */
final class UploadOptions {
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
  private @Nullable UploadBuffer buffer;

  @Option(
      names = "--active-blocks",
      paramLabel = "N",
      defaultValue = "" + UploadBufferRequest.DEFAULT_ACTIVE_BLOCKS,
      description = "Blocks of one file that are uploaded at a time. Default: ${DEFAULT-VALUE}.")
  private int activeBlocks;

  @Option(
      names = "--part-size",
      paramLabel = "SIZE",
      defaultValue = "64m",
      description = "Size of a block. Default: ${DEFAULT-VALUE}.")
  private String partSize = "64m";

  /**
   * What was asked for. Where that makes no sense, an {@link IllegalArgumentException} says so for
   * operators.
   */
  UploadBufferRequest request() {
    if (memory == null && (streams != null || heap != null)) {
      throw new IllegalArgumentException(
          (streams == null ? "--heap" : "--streams") + " says nothing without --memory");
    }
    if (memory != null && streams == null) {
      throw new IllegalArgumentException(
          "--memory needs --streams, the number of files a container writes at a time");
    }
    return UploadBufferRequest.of(
        Optional.ofNullable(buffer),
        Optional.ofNullable(container()),
        streams == null ? 1 : streams,
        activeBlocks,
        size("--part-size", partSize));
  }

  private @Nullable ContainerMemory container() {
    if (memory == null) {
      return null;
    }
    long total = size("--memory", memory);
    return heap == null
        ? ContainerMemory.of(total)
        : ContainerMemory.of(total, size("--heap", heap));
  }

  private static long size(String option, String text) {
    try {
      return Sizes.parse(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(option + " " + e.getMessage(), e);
    }
  }
}
