// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.node.report;

import io.temptier.hadoop.metrics.TierGauges;
import io.temptier.tier.DirHealth;
import io.temptier.tier.LocalDir;
import io.temptier.tier.claim.ClaimSweep;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.room.DirView;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A local dir as it is now, for JMX. */
final class DirReport {
  private DirReport() {}

  /**
   * All that is known of a dir.
   *
   * @param view how full it is; empty when it cannot be read
   * @param condition what is wrong with it; null when nobody looks after it
   * @param swept whose claims were deleted there
   */
  static Map<String, Object> of(
      LocalDir dir,
      Optional<DirView> view,
      DirHealth health,
      @Nullable DirCondition condition,
      List<ClaimSweep.Swept> swept) {
    Map<String, Object> of = new LinkedHashMap<>();
    of.put("medium", dir.medium());
    of.put("path", dir.path().toString());
    of.put("readable", view.isPresent());
    view.ifPresent(is -> put(of, is));
    of.put("slow", health == DirHealth.SLOW);
    of.put("hung", health == DirHealth.HUNG);
    of.put("lost", condition == null ? null : condition.whyLost().orElse(null));
    of.put("trouble", condition == null ? null : condition.trouble().orElse(null));
    of.put("foldersNotListed", condition == null ? 0 : condition.foldersNotListed());
    of.put("claimsDeleted", swept.stream().map(DirReport::swept).collect(Immutable.toList()));
    return of;
  }

  private static void put(Map<String, Object> of, DirView is) {
    of.put("capacityBytes", Math.min(is.capacity().totalBytes(), is.dir().capBytes()));
    of.put("freeBytes", TierGauges.freeBytes(is));
    of.put("reserveBytes", TierGauges.reserveBytes(is));
    of.put("claimedBytes", is.claims().bytes());
    of.put("claims", is.claims().count());
    of.put("claimsIgnored", is.claims().ignored());
    of.put("headroomBytes", is.headroomBytes());
    of.put("totalInodes", is.capacity().totalInodes());
    of.put("freeInodes", is.capacity().freeInodes());
    of.put("draining", is.draining());
    of.put("failures", is.failures());
  }

  private static Map<String, Object> swept(ClaimSweep.Swept swept) {
    Map<String, Object> of = new LinkedHashMap<>();
    of.put("uid", swept.uid());
    of.put("user", swept.user());
    of.put("entries", swept.entries());
    of.put("bytes", swept.bytes());
    of.put("lastMillis", swept.lastMillis());
    return of;
  }
}
