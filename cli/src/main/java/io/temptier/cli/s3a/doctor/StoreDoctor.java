// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.s3a.doctor;

import static io.temptier.cli.doctor.Check.Heading.BUCKET;
import static io.temptier.cli.doctor.Check.Heading.CLEAN_UP;
import static io.temptier.cli.doctor.Check.Heading.CONNECTION;
import static io.temptier.cli.doctor.Check.Heading.READS;
import static io.temptier.cli.doctor.Check.Heading.WRITES;

import io.temptier.cli.doctor.Check;
import io.temptier.cli.doctor.Check.Heading;
import io.temptier.cli.doctor.Examination;
import io.temptier.cli.s3a.doctor.StoreTroubles.Failure;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.text.Finding;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Asks the store one thing after another, within a time that a person waits. A check that fails
 * ends the rest if they could only fail too. What was written is removed whatever happens.
 */
final class StoreDoctor {
  /** A check of the store that takes longer than this hangs, and so does one of the settings. */
  static final Duration HANGS = Duration.ofSeconds(10);

  private static final Duration CLEAN_UP_TIME = Duration.ofSeconds(5);
  private static final String TIME_OVER = "time was over";

  /** S3A itself waits longer; seconds of the last pause. */
  private static final int MOST_AGAIN = 4;

  /** All that come after it write, too. */
  private static final String FIRST_TO_WRITE = "empty";

  /** Checks after whose failure the rest can only fail, too. */
  private static final Set<String> DECIDE = Immutable.setOf("answer", "open", "list", "empty");

  private final BucketSettings settings;
  private final Duration time;
  private final boolean readOnly;
  private final Examination examination;

  /** Failures by reason, then by the check's name: each reason is told once. */
  private final Map<String, Map<String, Failure>> failures = new LinkedHashMap<>();

  /** Properties known to be wrong: failures that follow from them are not told again. */
  private final Set<String> wrong;

  private final List<String> answered = new ArrayList<>();

  /** Checks by the name that the table of troubles has for them, and the verdict. */
  private final Map<String, Check<StoreSession>> ofStore = new LinkedHashMap<>();

  /** Continues an examination whose settings were looked at. */
  StoreDoctor(BucketSettings settings, Duration time, boolean readOnly, Examination examination) {
    this.settings = settings;
    this.time = time;
    this.readOnly = readOnly;
    this.examination = examination;
    this.wrong = examination.errors();
    // A method reference would load its class, and so the SDK, which may be missing.
    asks(
        "answer",
        CONNECTION,
        "ask the gateway for anything",
        session -> GatewayChecks.answers(session));
    asks("open", CONNECTION, "open s3a", session -> JobChecks.open(session));
    asks("list", BUCKET, "list the path", session -> GatewayChecks.list(session));
    asks("read", READS, "read a file that is there", session -> JobChecks.first(session));
    asks("bucket", BUCKET, "ask for the bucket's rules", session -> BucketChecks.rules(session));
    asks("uploads", BUCKET, "look for open uploads", session -> BucketChecks.uploads(session));
    if (!settings.value("fs.s3a.delegation.token.binding").isEmpty()) {
      asks("token", CONNECTION, "issue a delegation token", session -> JobChecks.token(session));
    }
    asks("empty", WRITES, "make an empty file", session -> JobChecks.empty(session));
    asks("write", WRITES, "write a file and read it back", session -> JobChecks.readBack(session));
    asks("local", WRITES, "copy a local file", session -> JobChecks.fromLocal(session));
    asks("rename", WRITES, "rename a file", session -> JobChecks.rename(session));
    asks("pages", BUCKET, "list files in pages", session -> JobChecks.pages(session));
    asks("delete", WRITES, "delete a page of files", session -> JobChecks.delete(session));
    String parts = "upload a file in parts of " + settings.value(BucketSettings.PART_SIZE);
    asks("parts", WRITES, parts, session -> JobChecks.parts(session));
    String condition = "make a file only if it is not there";
    asks("condition", WRITES, condition, session -> JobChecks.conditional(session));
    String committer = settings.value("fs.s3a.committer.name").replaceAll("^$", "file");
    String commit = "commit a job by the committer " + committer;
    asks("commit", WRITES, commit, session -> JobChecks.commit(session));
    asks(
        "replace",
        READS,
        "replace a file while it is read",
        session -> JobChecks.overwrite(session));
  }

  /** Tries something; what is worth a remark it tells the session. */
  private interface Trial {
    void on(StoreSession session) throws Exception;
  }

  private void asks(String name, Heading heading, String question, Trial trial) {
    ofStore.put(name, Check.of(heading, question, look(trial)));
  }

  private static Check.Look<StoreSession> look(Trial trial) {
    return (session, found) -> {
      session.tell(found);
      trial.on(session);
    };
  }

  /** Asks; what was answered, by the names of the checks. */
  List<String> ask() {
    if (SettingsChecks.hasS3a()) {
      askStore();
    } else {
      ofStore
          .values()
          .forEach(check -> examination.leaveOut(check, "S3A is not on the class path"));
    }
    return answered;
  }

  private void askStore() {
    long end = System.nanoTime() + time.toNanos();
    StoreSession session =
        new StoreSession(settings, Collections.max(Immutable.listOf(time.dividedBy(2), HANGS)));
    boolean writes = false;
    boolean wrote = false;
    boolean late = false;
    boolean ended = false;
    for (Map.Entry<String, Check<StoreSession>> question : ofStore.entrySet()) {
      Check<StoreSession> check = question.getValue();
      writes |= question.getKey().equals(FIRST_TO_WRITE);
      if (late) {
        examination.unanswered(check, TIME_OVER);
      } else if (ended) {
        examination.leaveOut(check, "it could only fail, too");
      } else if (readOnly && writes) {
        examination.leaveOut(check, "it would write");
      } else {
        wrote = writes;
        long begin = System.nanoTime();
        Duration left = Duration.ofNanos(Math.max(0, end - begin));
        Throwable failure = askPatiently(question.getKey(), check, session, begin + left.toNanos());
        late = failure instanceof TimeoutException;
        if (late && System.nanoTime() - begin < HANGS.toNanos()) {
          examination.unanswered(check, TIME_OVER);
        } else if (failure instanceof OutOfMemoryError) {
          examination.unanswered(check, "this command has too little memory: " + failure);
        } else if (failure != null) {
          String hangs = "timed out: the doctor waits no longer than " + time.getSeconds() + " s";
          Throwable why = late ? new TimeoutException(hangs) : failure;
          ended = failed(question.getKey(), new Failure(why));
          ended |= DECIDE.contains(question.getKey());
        } else {
          answered.add(question.getKey());
        }
      }
    }
    failures.values().forEach(this::tell);
    if (wrote) {
      cleanUp(session);
    }
    if (readOnly && !late && !ended) {
      examination.add(WRITES, StoreTroubles.ofSettings("read-only", settings));
    }
  }

  /** Asks again where the store asks for fewer requests, as S3A would, while there is time. */
  private @Nullable Throwable askPatiently(
      String name, Check<StoreSession> check, StoreSession session, long end) {
    for (int again = 1; ; again *= 2) {
      long left = Math.max(0, end - System.nanoTime());
      Throwable failure = examination.ask(check, session, Duration.ofNanos(left));
      if (failure == null && again > 1) {
        Finding passing = StoreTroubles.named("rate.passing", settings, name);
        examination.add(CONNECTION, Immutable.listOf(passing));
      }
      long pause = Duration.ofSeconds(again).toNanos();
      if (failure == null
          || again > MOST_AGAIN
          || pause > left / 2
          || !isThrottled(name, failure)) {
        return failure;
      }
      LockSupport.parkNanos(pause);
    }
  }

  private boolean isThrottled(String name, Throwable failure) {
    return StoreTroubles.of(name, new Failure(failure), settings)
        .filter(row -> row.name.contains("throttled"))
        .isPresent();
  }

  /**
   * Takes a failure down, by the row that explains it or by one that it is a kind of (right.delete
   * of right.delete.many), if that was met; true when the store can be asked nothing more.
   */
  private boolean failed(String name, Failure failure) {
    Optional<StoreTroubles.Trouble> row = StoreTroubles.of(name, failure, settings);
    String why = row.map(trouble -> trouble.name).orElse(failure.texts);
    String known =
        failures.keySet().stream()
            .filter(reason -> why.startsWith(reason + "."))
            .findFirst()
            .orElse(why);
    failures.computeIfAbsent(known, reason -> new LinkedHashMap<>()).put(name, failure);
    return row.map(trouble -> trouble.ends).orElse(false);
  }

  private void tell(Map<String, Failure> failed) {
    List<Check<StoreSession>> checks = new ArrayList<>();
    failed.keySet().forEach(name -> checks.add(Objects.requireNonNull(ofStore.get(name))));
    Map.Entry<String, Failure> first = failed.entrySet().iterator().next();
    List<String> asked = checks.stream().map(Check::question).collect(Immutable.toList());
    Finding finding = StoreTroubles.explain(first.getKey(), first.getValue(), settings, asked);
    if (!wrong.contains(finding.key())) {
      examination.add(checks.get(0).heading(), Immutable.listOf(finding));
    }
  }

  private void cleanUp(StoreSession session) {
    Check<StoreSession> check = Check.of(CLEAN_UP, "clean up", look(StoreSession::cleanUp));
    // Who gives the store more time than usual gives its clean-up more.
    Duration most = Collections.max(Immutable.listOf(time.dividedBy(4), CLEAN_UP_TIME));
    Throwable failure = examination.ask(check, session, most);
    if (failure != null) {
      session.tell(left -> examination.add(CLEAN_UP, Immutable.listOf(left)));
      session.left(
          failure instanceof TimeoutException
              ? "it took longer than " + most.getSeconds() + " s"
              : String.valueOf(failure.getMessage()));
    }
  }
}
