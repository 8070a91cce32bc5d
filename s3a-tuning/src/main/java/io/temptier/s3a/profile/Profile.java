// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.profile;

import com.google.auto.value.AutoValue;
import io.temptier.tier.lang.Immutable;
import java.util.ArrayList;
import java.util.List;

/** The settings for a workload. */
@AutoValue
public abstract class Profile {
  public abstract ProfileRequest request();

  /** Where upload buffers go. */
  public abstract UploadBufferPlan plan();

  /** Properties for core-site.xml, in the order in which they are to be read. */
  public abstract List<Setting> settings();

  /** What is left out on purpose, and what else to know. */
  public abstract List<Remark> remarks();

  /** Copies the lists. */
  public static Profile of(
      ProfileRequest request, UploadBufferPlan plan, List<Setting> settings, List<Remark> remarks) {
    settings = Immutable.copyOf(settings);
    remarks = Immutable.copyOf(remarks);
    return new AutoValue_Profile(request, plan, settings, remarks);
  }

  /**
   * Makes a profile. Properties that one of the versions does not read are left out with a remark.
   *
   * @throws UnsafePlanException when upload buffers could run out
   */
  public static Profile of(ProfileRequest request) throws UnsafePlanException {
    UploadBufferPlan plan = UploadBufferPlan.of(request.uploads());
    List<Setting> all = new ArrayList<>(Settings.store(request.endpoints()));
    if (request.endpoints().size() > 1) {
      all.addAll(Settings.spread(request.endpoints()));
    }
    all.addAll(Settings.timeouts(plan.request().partBytes(), request.versions()));
    all.addAll(Settings.reads(request.workload(), request.versions()));
    all.addAll(Settings.uploads(plan));
    if (request.commits()) {
      all.addAll(Settings.committer(request.committer()));
    }
    List<Setting> settings = new ArrayList<>();
    List<Remark> remarks = new ArrayList<>(Remarks.of(request, plan.buffer()));
    for (Setting setting : all) {
      if (setting.versions().containsAll(request.versions())) {
        settings.add(setting);
      } else {
        remarks.add(
            Remark.of(setting.key(), "left out: only for Hadoop " + setting.versions() + "."));
      }
    }
    return Profile.of(request, plan, settings, remarks);
  }
}
