// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.profile;

import java.util.ArrayList;
import java.util.List;

/**
 * The settings for a workload.
 *
 * @param request what it was made from
 * @param plan where upload buffers go
 * @param settings properties for core-site.xml, in the order in which they are to be read
 * @param remarks what is left out on purpose, and what else to know
 */
public record Profile(
    ProfileRequest request, UploadBufferPlan plan, List<Setting> settings, List<Remark> remarks) {
  /** Copies the lists. */
  public Profile {
    settings = List.copyOf(settings);
    remarks = List.copyOf(remarks);
  }

  /**
   * Makes a profile. Properties that one of the versions does not read are left out with a remark.
   *
   * @throws UnsafePlanException when upload buffers could run out
   */
  public static Profile of(ProfileRequest request) throws UnsafePlanException {
    UploadBufferPlan plan = UploadBufferPlan.of(request.uploads());
    List<Setting> all = new ArrayList<>(StoreSettings.of(request.endpoints()));
    if (request.endpoints().size() > 1) {
      all.addAll(SpreadSettings.of(request.endpoints()));
    }
    all.addAll(TimeoutSettings.of(plan.request().partBytes()));
    all.addAll(ReadSettings.of(request.workload(), request.versions()));
    all.addAll(UploadSettings.of(plan));
    if (request.commits()) {
      all.addAll(CommitterSettings.of(request.committer()));
    }
    List<Setting> settings = new ArrayList<>();
    List<Remark> remarks = new ArrayList<>(Remarks.of(request, plan.buffer()));
    for (Setting setting : all) {
      if (setting.versions().containsAll(request.versions())) {
        settings.add(setting);
      } else {
        remarks.add(
            new Remark(
                setting.key(), "left out: only Hadoop " + setting.versions() + " reads it."));
      }
    }
    return new Profile(request, plan, settings, remarks);
  }
}
