// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.demo;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.temptier.lab.cluster.JobResult;
import io.temptier.tier.Medium;
import io.temptier.tier.policy.Reason;
import io.temptier.tier.text.Sizes;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * What was measured, as {@code report.json} has it.
 *
 * @param tiers what the sort's tasks placed, by the job's own counters
 * @param refusals why tiers refused files, the most frequent cause first
 * @param moved what left a tier after it was whole, and why
 * @param fetched what reducers of all jobs fetched, by the tier that it was read from
 * @param counters of the sort: what TempTier placed for it
 * @param facts machine, versions, command: what, and its value
 */
record DemoResult(
    boolean validated,
    String validation,
    int failedTasks,
    double jobSeconds,
    List<OfTier> tiers,
    Tally spilledDown,
    DemoPlan plan,
    List<OfPhase> phases,
    List<Refused> refusals,
    List<Moved> moved,
    List<OfTier> fetched,
    @JsonIgnoreProperties({"counters", "log"}) List<JobResult> jobs,
    Map<String, Long> counters,
    List<TierSample> samples,
    List<Mark> marks,
    Map<String, String> facts) {
  record OfTier(Medium medium, @JsonUnwrapped Tally tally) {}

  record OfPhase(String phase, Medium medium, @JsonUnwrapped Tally tally) {}

  record Refused(Medium medium, Reason reason, String text, @JsonUnwrapped Tally tally) {}

  /** Map outputs that went down, from the first to the last, in seconds of the samples. */
  record Moved(
      Medium from,
      Medium to,
      String why,
      double fromSeconds,
      double toSeconds,
      @JsonUnwrapped Tally tally) {}

  /** When a job began, in seconds of the samples. */
  record Mark(String job, double seconds) {}

  /** Seconds, no finer than they are told. */
  static double tenths(double seconds) {
    return Math.round(seconds * 10) / 10.0;
  }

  static String application(JobResult sort) {
    return sort.jobId().replace("job_", "application_");
  }

  /** The tiers that were written to or are sampled, the fastest first. */
  List<Medium> media() {
    return Stream.of(Medium.values())
        .filter(
            medium ->
                samples.stream().anyMatch(sample -> sample.bytes().containsKey(medium))
                    || phases.stream().anyMatch(one -> one.medium() == medium))
        .toList();
  }

  List<String> phaseLabels() {
    return phases.stream().map(OfPhase::phase).distinct().toList();
  }

  Tally at(String phase, Medium medium) {
    return phases.stream()
        .filter(one -> one.phase().equals(phase) && one.medium() == medium)
        .map(OfPhase::tally)
        .reduce(Tally.NONE, Tally::plus);
  }

  record Tally(long files, long bytes) {
    static final Tally NONE = new Tally(0, 0);

    static Tally of(long bytes) {
      return new Tally(1, bytes);
    }

    Tally plus(Tally other) {
      return new Tally(files + other.files, bytes + other.bytes);
    }

    @Override
    public String toString() {
      return files == 0 ? "–" : Sizes.format(bytes) + " in " + files;
    }
  }

  /**
   * What lay on the tiers at one moment.
   *
   * @param seconds since the cluster was up
   */
  record TierSample(double seconds, @JsonAnyGetter Map<Medium, Long> bytes) {
    TierSample {
      bytes = new TreeMap<>(bytes);
    }
  }
}
