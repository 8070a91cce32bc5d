// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.profile;

import io.temptier.s3a.endpoint.EndpointKey;
import io.temptier.tier.Immutable;
import java.net.URI;
import java.util.List;
import java.util.stream.Collectors;

/** How requests go to several gateways without a load balancer. */
public final class SpreadSettings {
  /** The property that names who makes S3A's clients. */
  public static final String FACTORY = "fs.s3a.s3.client.factory.impl";

  /** TempTier's; by name, since the SDK may not be on the class path here. */
  public static final String OURS = "io.temptier.s3a.endpoint.SpreadingS3ClientFactory";

  private SpreadSettings() {}

  /**
   * The settings.
   *
   * @param endpoints the gateways, checked
   */
  static List<Setting> of(List<URI> endpoints) {
    return Immutable.listOf(
        Setting.of(
                FACTORY,
                OURS,
                "S3A alone takes one endpoint. This gives each gateway a client of its own, takes"
                    + " out gateways that fail, sends their requests elsewhere, and takes them"
                    + " back.",
                "Must be on the class path of all that reads this file: where TempTier's jars are"
                    + " missing, no s3a path opens. Connections and their limit are per gateway.",
                Source.measured("Gateways"),
                Source.hadoop("Constants.S3_CLIENT_FACTORY_IMPL"))
            .ofSdk2(),
        Setting.of(
            EndpointKey.ENDPOINTS.key(),
            endpoints.stream().map(URI::toString).collect(Collectors.joining(",")),
            "The gateways, of one zone: each must see the same buckets. Each request goes to the"
                + " one with the fewest under way.",
            "The list must be kept; with dns: before a URL it is all addresses of that name.",
            Source.document("figure 9"),
            Source.measured("Gateways")),
        Setting.of(
            EndpointKey.READ_TIMEOUT.key(),
            EndpointKey.READ_TIMEOUT.defaultValue(),
            "A gateway that accepts requests and hangs holds a read no longer: it is taken out, and"
                + " the read goes to another. S3A's own timeouts cannot be that short. The default,"
                + " for you to change.",
            "On disks that keep reads waiting longer they are sent again and again: set more.",
            Source.measured("Gateways")),
        Setting.of(
            EndpointKey.WRITE_TIMEOUT.key(),
            EndpointKey.WRITE_TIMEOUT.defaultValue(),
            "The same for all else. Time counts from the last byte that the gateway took, so that a"
                + " slow line ends no upload. The default, for you to change.",
            "A listing, or the end of an upload of many parts, that takes longer is sent again.",
            Source.measured("Gateways")));
  }
}
