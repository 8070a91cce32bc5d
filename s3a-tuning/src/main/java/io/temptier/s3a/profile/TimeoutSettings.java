// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.profile;

import io.temptier.tier.Immutable;
import java.util.List;

/** After how long S3A gives up on a gateway that accepts requests and hangs. */
public final class TimeoutSettings {
  /** What a connection carries at least, or its upload is given up. */
  private static final long SLOWEST_BYTES_PER_SECOND = 256L << 10;

  private static final long SHORTEST_UPLOAD_MINUTES = 5;
  private static final Source CONNECTIONS =
      Source.hadoop("core-default.xml, AWSClientConfig.createConnectionSettings");
  private static final Source GATEWAYS = Source.measured("Gateways");

  private TimeoutSettings() {}

  /**
   * The settings.
   *
   * @param partBytes the most that one request uploads
   * @param versions all that are to read them
   */
  static List<Setting> of(long partBytes, List<HadoopVersion> versions) {
    return Immutable.listOf(
        read(versions),
        Setting.of(
                "fs.s3a.connection.establish.timeout",
                "15s",
                "How long a host that is switched off is waited for. S3A takes nothing shorter.",
                "None on a network that works.",
                CONNECTIONS)
            .ofSdk2(),
        Setting.of(
            "fs.s3a.connection.part.upload.timeout",
            partUpload(partBytes),
            "How long a part may take to upload: nothing else ends one that a gateway does not"
                + " take, and Hadoop waits for 15 minutes.",
            "Connections that carry less than 256 KiB a second fail. Where lines are that slow, set"
                + " more.",
            Source.hadoop("Constants.PART_UPLOAD_TIMEOUT, RequestFactoryImpl"),
            GATEWAYS));
  }

  private static Setting read(List<HadoopVersion> versions) {
    boolean sdk2 = versions.stream().allMatch(HadoopVersion::isOfSdk2);
    Setting read =
        Setting.of(
            "fs.s3a.connection.timeout",
            // Hadoop 3.3 reads milliseconds, and no text with a unit.
            sdk2 ? "30s" : "30000",
            "How long a read waits for the next byte of a gateway that hangs; Hadoop's default is"
                + " 200 seconds. Ceph itself complains of a request after 30 seconds"
                + " (osd_op_complaint_time).",
            "A request whose answer takes longer is sent again and fails at last, such as the"
                + " listing of a huge bucket on slow disks."
                + (sdk2
                    ? " Without this Hadoop would wait for an answer for 60 seconds"
                        + " (fs.s3a.connection.request.timeout)."
                    : ""),
            CONNECTIONS,
            GATEWAYS);
    return sdk2 ? read.ofSdk2() : read;
  }

  /** How long a part of that size may take to upload, as Hadoop writes it, such as {@code 5m}. */
  public static String partUpload(long partBytes) {
    long perMinute = 60 * SLOWEST_BYTES_PER_SECOND;
    return Math.max(SHORTEST_UPLOAD_MINUTES, (partBytes + perMinute - 1) / perMinute) + "m";
  }
}
