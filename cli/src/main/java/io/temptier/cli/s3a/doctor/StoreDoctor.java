// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.s3a.doctor;

import io.temptier.cli.doctor.Paste;
import io.temptier.tier.Finding;
import io.temptier.tier.Finding.Severity;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs every check, those of the store one after another within a time that a person waits. One
 * that fails ends the rest if they could only fail too. What was written is removed whatever
 * happens.
 */
final class StoreDoctor {
  /** How long it asks unless told otherwise: with clean-up a little less than half a minute. */
  static final Duration TIME = Duration.ofSeconds(22);

  /** A check that takes longer than this hangs. */
  private static final Duration HANGS = Duration.ofSeconds(10);

  private static final Duration CLEAN_UP_TIME = Duration.ofSeconds(5);

  private static final List<SettingsCheck> SETTINGS =
      List.of(
          new ClassPathCheck(),
          new EndpointCheck(),
          new GatewaysCheck(),
          new KeysCheck(),
          new StreamCheck(),
          new CommitterCheck(),
          new PoolCheck(),
          new BufferCheck());

  private static final List<StoreCheck> STORE =
      List.of(
          new GatewayCheck(),
          new BucketCheck(),
          new EmptyFileCheck(),
          new WriteCheck(),
          new ListingCheck(),
          new ConditionalCreateCheck(),
          new MultipartCheck(),
          new MagicCheck(),
          new OverwriteCheck(),
          new SeekCostCheck());

  private final Subject subject;
  private final boolean readOnly;
  private final Duration time;
  private final Consumer<String> progress;
  private final SortedMap<Topic, List<Finding>> findings = new TreeMap<>();
  private final SortedMap<String, List<String>> unasked = new TreeMap<>();

  /** Why the store is asked nothing more; null while it is. */
  private @Nullable String over;

  /**
   * A doctor.
   *
   * @param readOnly whether to leave out all that writes
   * @param time how long to ask the store at most, besides five seconds for the clean-up
   * @param progress told what the store is asked
   */
  StoreDoctor(Subject subject, boolean readOnly, Duration time, Consumer<String> progress) {
    this.subject = subject;
    this.readOnly = readOnly;
    this.time = time;
    this.progress = progress;
  }

  /** Examines. */
  StoreDiagnosis examine() {
    for (SettingsCheck check : SETTINGS) {
      add(check.topic(), check.check(subject));
    }
    if (ClassPathCheck.hasS3a()) {
      askStore();
    } else {
      STORE.forEach(check -> skip(check, "S3A is not on the class path"));
    }
    Redaction redaction = Redaction.of(subject.conf());
    findings.replaceAll((topic, found) -> found.stream().map(redaction::of).toList());
    return new StoreDiagnosis(
        subject.bucket(),
        subject.rollout().files().stream().map(file -> file.path().toString()).toList(),
        findings,
        unasked);
  }

  private void add(Topic topic, List<Finding> found) {
    List<Finding> all = findings.computeIfAbsent(topic, key -> new ArrayList<>());
    all.addAll(found);
    all.sort(Comparator.comparing(Finding::severity).reversed());
  }

  private void skip(StoreCheck check, String why) {
    unasked.computeIfAbsent(why, key -> new ArrayList<>()).add(check.question());
  }

  private void askStore() {
    Deadline deadline = new Deadline(time);
    Visit visit = ask(Topic.CONNECTION, "open s3a", true, deadline, () -> Visit.begin(subject));
    boolean wrote = false;
    for (StoreCheck check : STORE) {
      if (over != null || visit == null) {
        skip(check, String.valueOf(over));
      } else if (readOnly && check.writes()) {
        skip(check, "it would write");
      } else {
        progress.accept(check.question());
        wrote |= check.writes();
        List<Finding> found =
            ask(
                check.topic(),
                check.question(),
                check.decides(),
                deadline,
                () -> check.check(visit));
        if (found != null) {
          add(check.topic(), found);
        }
      }
    }
    if (visit != null && wrote) {
      progress.accept("cleaning up");
      cleanUp(visit);
    }
    if (readOnly && over == null) {
      add(Topic.WRITES, signer());
    }
  }

  /**
   * What a call gave, or null when it failed, which is a finding then.
   *
   * @param decides whether no other can succeed then
   */
  private <T> @Nullable T ask(
      Topic topic, String question, boolean decides, Deadline deadline, Callable<T> call) {
    long begin = System.nanoTime();
    try {
      return deadline.call(call);
    } catch (TimeoutException e) {
      over = "time was over";
      if (System.nanoTime() - begin < HANGS.toNanos()) {
        unasked.computeIfAbsent(over, key -> new ArrayList<>()).add(question);
      } else {
        add(topic, List.of(Symptom.explain(subject, question, e)));
      }
    } catch (ExecutionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      Symptom symptom = Symptom.of(cause);
      if (decides || (symptom != null && symptom.ends())) {
        over = "it could only fail, too";
      }
      add(topic, List.of(Symptom.explain(subject, question, cause)));
    }
    return null;
  }

  private void cleanUp(Visit visit) {
    String left;
    try {
      left = new Deadline(CLEAN_UP_TIME).call(() -> CleanUp.run(visit));
    } catch (TimeoutException | ExecutionException e) {
      left = String.valueOf(e.getCause() == null ? e : e.getCause().getMessage());
    }
    add(
        Topic.CLEAN_UP,
        left.isEmpty()
            ? List.of()
            : List.of(
                new Finding(
                    Severity.WARNING,
                    "scratch prefix",
                    visit.scratch().toString(),
                    "made by the doctor",
                    "It could not be removed: " + left,
                    "hadoop fs -rm -r -skipTrash " + visit.scratch())));
  }

  /** Without writing only the setting can be looked at. */
  private List<Finding> signer() {
    return subject.isAmazon()
            || !subject.value(Keys.SIGNER).isEmpty()
            || !subject.value(Keys.ANY_SIGNER).isEmpty()
        ? List.of()
        : List.of(
            subject.finding(
                Severity.WARNING,
                Keys.SIGNER,
                "Ceph refuses uploads of 0 bytes as S3A signs them by default: mkdirs, empty files"
                    + " and committers fail. Not tried, since nothing was written.",
                Paste.into(Subject.CORE_SITE, Keys.SIGNER, Keys.UNSIGNED_PAYLOAD)));
  }
}
