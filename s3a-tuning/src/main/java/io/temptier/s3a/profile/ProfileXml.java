// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.profile;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** A profile as a fragment of core-site.xml. */
public final class ProfileXml {
  private static final String PAPER =
      "The paper, a document to its sources, is \"Unlock Big Data Analytics Efficiency with Compute"
          + " and Storage Disaggregation on Intel Platforms\" (2018); measurements are in"
          + " docs/s3a.md.";

  private ProfileXml() {}

  /** The fragment: a file of its own that Hadoop can read, to be merged into the site's. */
  public static String fragment(Profile profile) {
    List<String> head = new ArrayList<>();
    ProfileRequest request = profile.request();
    String versions =
        request.versions().stream().map(HadoopVersion::number).collect(Collectors.joining(", "));
    head.add(
        ("S3A on Ceph's gateway for Hadoop %s, workload %s: %s. Merge it into core-site.xml,"
                + " or give single properties to single jobs with -D.")
            .formatted(versions, request.workload(), request.workload().meaning()));
    return write(profile, head, Set.of());
  }

  static String write(Profile profile, List<String> begin, Set<String> toEdit) {
    List<String> head = new ArrayList<>(begin);
    head.add(PAPER);
    head.add("");
    head.add("Upload buffers:");
    profile.plan().arithmetic().forEach(line -> head.add("- " + line));
    head.add("");
    head.add("Left out, and to know:");
    for (Remark remark : profile.remarks()) {
      head.add("- " + remark.key() + ": " + remark.text());
    }
    return new SiteXml(profile.request().versions(), toEdit).write(head, profile.settings());
  }
}
