// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.profile;

import io.temptier.tier.Sizes;
import java.util.ArrayList;
import java.util.List;

/** How files are written: where blocks wait, how many, how large. */
final class UploadSettings {
  static final String BUFFER = "fs.s3a.fast.upload.buffer";

  private static final Source UPLOADS = Source.measured("Uploads");
  private static final Source FIGURE_12 = Source.document("figure 12");

  private UploadSettings() {}

  static List<Setting> of(UploadBufferPlan plan) {
    List<Setting> settings = new ArrayList<>();
    settings.add(buffer(plan));
    settings.add(
        Setting.of(
            "fs.s3a.fast.upload.active.blocks",
            String.valueOf(plan.request().activeBlocks()),
            "Uploads of one file side by side. 4 was best: 2 and 8 took about 1.1 times as long.",
            "Part of what the buffers take: " + plan.request().arithmetic() + " for one container.",
            UPLOADS,
            Source.hadoop("core-default.xml, S3ABlockOutputStream")));
    settings.add(
        Setting.of(
            "fs.s3a.multipart.size",
            mebibytes(plan.request().partBytes()),
            String.format(
                "The size of a block: 32M and 64M made no difference. A file has at most 10,000"
                    + " parts, here %s.",
                plan.largestFile()),
            "In memory each open file takes a whole block, however little is written to it.",
            UPLOADS,
            Source.hadoop("S3ADataBlocks, Constants.MAX_MULTIPART_COUNT")));
    if (plan.buffer() == UploadBuffer.DISK) {
      settings.add(dir());
    }
    return settings;
  }

  private static Setting buffer(UploadBufferPlan plan) {
    String needs = Sizes.format(plan.request().needBytes());
    switch (plan.buffer()) {
      case DISK:
        return Setting.of(
            BUFFER,
            "disk",
            "Takes no memory, so no container runs out of it.",
            "256 MB took 985 ms; array 0.86 times that, bytebuffer 0.89 times. The gap is wider"
                + " on a busy HDD. Tell memory and streams to have it planned.",
            UPLOADS,
            FIGURE_12);
      case ARRAY:
        return Setting.of(
            BUFFER,
            "array",
            "Faster than disk: 0.86 times its time for 256 MB.",
            "Up to "
                + needs
                + " of heap in one container; more streams than planned run out of it.",
            UPLOADS,
            FIGURE_12);
      case BYTEBUFFER:
        return Setting.of(
            BUFFER,
            "bytebuffer",
            "Faster than disk, 0.89 times its time for 256 MB, and leaves the heap alone.",
            String.format(
                "Up to %s outside the heap of one container; more streams than planned get it"
                    + " killed by YARN.",
                needs),
            UPLOADS,
            FIGURE_12);
      default:
        throw new AssertionError(plan.buffer());
    }
  }

  private static Setting dir() {
    return Setting.of(
        "fs.s3a.buffer.dir",
        "${env.LOCAL_DIRS:-${hadoop.tmp.dir}}/s3a",
        "In a container: YARN's local dirs, deleted with the container. Elsewhere: below"
            + " hadoop.tmp.dir. A fixed dir would keep what killed tasks leave.",
        "S3A takes the dirs in turn, so that blocks lie on slow ones too, unless fs.s3a.impl is"
            + " TempTier's.",
        Source.hadoop("core-default.xml, S3AStoreImpl.initLocalDirAllocator"));
  }

  private static String mebibytes(long bytes) {
    return bytes % (1 << 20) == 0 ? (bytes >> 20) + "M" : String.valueOf(bytes);
  }
}
