// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.profile;

import io.temptier.tier.lang.Immutable;
import io.temptier.tier.text.TextTable;
import java.net.URI;
import java.util.List;
import java.util.stream.Collectors;

/** What is left out on purpose, and what else to know: the table {@code remarks.txt}. */
final class Remarks {
  private static final List<List<String>> ROWS = TextTable.read(Remarks.class, "remarks.txt", 3);

  private Remarks() {}

  static List<Remark> of(ProfileRequest request, UploadBuffer buffer) {
    String hosts = request.endpoints().stream().map(URI::getHost).collect(Collectors.joining(", "));
    return ROWS.stream()
        .filter(row -> holds(row.get(0), row.get(1), request, buffer))
        .map(row -> Remark.of(row.get(1), TextTable.fill(row.get(2), hosts)))
        .collect(Immutable.toList());
  }

  private static boolean holds(
      String when, String key, ProfileRequest request, UploadBuffer buffer) {
    switch (when) {
      case "always":
        return true;
      case "no endpoint":
        return request.endpoints().isEmpty();
      case "endpoints":
        return request.endpoints().size() > 1;
      case "disk":
        return buffer == UploadBuffer.DISK;
      case "reads":
        return known(key, request)
            && !Settings.reads(request.workload(), request.versions()).isEmpty();
      case "known":
        return known(key, request);
      case "sdk1":
        return !HadoopVersion.OF_SDK_2.containsAll(request.versions());
      case "3.5.0":
        return request.commits() && request.versions().contains(HadoopVersion.V3_5_0);
      case "commits":
        return request.commits();
      default:
        throw new IllegalStateException("no such condition: " + when);
    }
  }

  private static boolean known(String key, ProfileRequest request) {
    return request.versions().stream().anyMatch(version -> version.knows(key));
  }
}
