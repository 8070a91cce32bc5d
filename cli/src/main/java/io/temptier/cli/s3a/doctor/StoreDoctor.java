// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.s3a.doctor;

import io.temptier.cli.doctor.Check;
import io.temptier.cli.doctor.DoctorReport;
import io.temptier.cli.doctor.Examination;
import io.temptier.cli.doctor.Heading;
import io.temptier.cli.doctor.Secrets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * Runs every check, those of the store one after another within a time that a person waits. One
 * that fails ends the rest if they could only fail too. What was written is removed whatever
 * happens.
 */
final class StoreDoctor {
  /** How long it asks unless told otherwise: with clean-up a little less than half a minute. */
  static final Duration TIME = Duration.ofSeconds(22);

  /** A check of the store that takes longer than this hangs, and so does one of the settings. */
  private static final Duration HANGS = Duration.ofSeconds(10);

  private static final Duration CLEAN_UP_TIME = Duration.ofSeconds(5);
  private static final String TIME_OVER = "time was over";

  private static final List<Check<BucketSettings>> SETTINGS =
      List.of(
          Check.of(Heading.CLASS_PATH, "look for S3A's jars", S3aJarsCheck::check),
          Check.of(Heading.SETTINGS, "look at the endpoint", SettingsChecks::endpoint),
          Check.of(Heading.CONNECTION, "look at the list of gateways", GatewayChecks::spreading),
          Check.of(Heading.SETTINGS, "look at who can read the keys", SettingsChecks::openSecrets),
          Check.of(Heading.SETTINGS, "look for unknown properties", SettingsChecks::unread),
          Check.of(Heading.SETTINGS, "look at the stream", SettingsChecks::stream),
          Check.of(Heading.SETTINGS, "look at the readahead", SettingsChecks::readahead),
          Check.of(Heading.SETTINGS, "look at the timeouts", SettingsChecks::timeouts),
          Check.of(Heading.SETTINGS, "look at the committer", SettingsChecks::committer),
          Check.of(Heading.SETTINGS, "look at the connections", SettingsChecks::pool),
          Check.of(Heading.SETTINGS, "look at the purge of uploads", SettingsChecks::purge),
          Check.of(Heading.BUFFERS, "look at the upload buffers", UploadBufferCheck::check));

  /**
   * What is asked for.
   *
   * @param readOnly whether to leave out all that writes
   * @param time how long to ask the store at most, besides a quarter of it, at least five seconds,
   *     for the clean-up
   * @param inEffect whether to show what S3A runs with
   * @param abort the age from which open uploads are aborted; empty for none
   * @param bandwidthBytes how much to write and read to see how fast that is; empty for nothing
   */
  record Request(
      boolean readOnly,
      Duration time,
      boolean inEffect,
      Optional<Duration> abort,
      Optional<Long> bandwidthBytes) {}

  private final BucketSettings settings;
  private final Request request;
  private final Examination examination;

  /** {@code progress} is told what the store is asked. */
  StoreDoctor(BucketSettings settings, Request request, Consumer<String> progress) {
    this.settings = settings;
    this.request = request;
    this.examination = new Examination(progress);
  }

  private List<Check<StoreSession>> ofStore() {
    List<Check<StoreSession>> checks = new ArrayList<>();
    checks.add(reads(Heading.CONNECTION, "ask the gateway for anything", GatewayChecks::answers));
    checks.add(reads(Heading.CONNECTION, "open s3a", ObjectChecks::open));
    checks.add(reads(Heading.BUCKET, "list the bucket", GatewayChecks::list));
    // A method reference would load its class, and so the SDK, which may be missing.
    checks.add(
        Check.of(Heading.BUCKET, "look for versions", session -> BucketChecks.versioning(session)));
    checks.add(
        new Check<>(
            Heading.BUCKET,
            "look for uploads that nobody completed",
            request.abort().isPresent(),
            false,
            session -> BucketChecks.uploads(session, request.abort())));
    checks.add(new Check<>(Heading.WRITES, "make an empty file", true, true, ObjectChecks::empty));
    checks.add(writes(Heading.WRITES, "write a file and read it back", ObjectChecks::readBack));
    checks.add(writes(Heading.WRITES, "copy a local file", ObjectChecks::fromLocal));
    checks.add(
        writes(
            Heading.BUCKET, "list files in pages and delete them together", ObjectChecks::pages));
    checks.add(
        writes(Heading.WRITES, "make a file only if it is not there", ObjectChecks::conditional));
    checks.add(writes(Heading.WRITES, "upload a file in parts", ObjectChecks::multipart));
    checks.add(
        writes(Heading.WRITES, "commit a job by the magic committer", JobChecks::magicCommitter));
    checks.add(writes(Heading.READS, "replace a file while it is read", ObjectChecks::overwrite));
    request
        .bandwidthBytes()
        .ifPresent(
            bytes ->
                checks.add(
                    writes(
                        Heading.READS,
                        "measure the bandwidth",
                        session -> JobChecks.bandwidth(session, bytes))));
    return checks;
  }

  /** A question that writes nothing, and without an answer to which none can follow. */
  private static Check<StoreSession> reads(
      Heading heading, String question, Check.Look<StoreSession> look) {
    return new Check<>(heading, question, false, true, look);
  }

  private static Check<StoreSession> writes(
      Heading heading, String question, Check.Look<StoreSession> look) {
    return new Check<>(heading, question, true, false, look);
  }

  DoctorReport examine() {
    examination.askEach(SETTINGS, settings, HANGS);
    if (S3aJarsCheck.hasS3a()) {
      askStore();
    } else {
      ofStore().forEach(check -> examination.leaveOut(check, "S3A is not on the class path"));
    }
    List<String> files =
        settings.rollout().files().stream().map(file -> file.path().toString()).toList();
    Map<String, Object> about = new LinkedHashMap<>();
    about.put("bucket", settings.bucket());
    about.put("files", files);
    List<String> head = new ArrayList<>();
    head.add("s3a://" + settings.bucket() + "/ as in " + String.join(", ", files));
    Secrets secrets =
        new Secrets(settings.conf(), S3aKey.ACCESS_KEY, S3aKey.SECRET_KEY, S3aKey.SESSION_TOKEN);
    if (request.inEffect()) {
      InEffect.addTo(head, about, settings, secrets);
    }
    return examination.report(secrets, head, about, "");
  }

  private void askStore() {
    long end = System.nanoTime() + request.time().toNanos();
    Duration half = request.time().dividedBy(2);
    StoreSession session = new StoreSession(settings, half.compareTo(HANGS) > 0 ? half : HANGS);
    boolean wrote = false;
    boolean late = false;
    boolean ended = false;
    for (Check<StoreSession> check : ofStore()) {
      if (late) {
        examination.unanswered(check, TIME_OVER);
      } else if (ended) {
        examination.leaveOut(check, "it could only fail, too");
      } else if (request.readOnly() && check.writes()) {
        examination.leaveOut(check, "it would write");
      } else {
        wrote |= check.writes();
        long begin = System.nanoTime();
        Throwable failure =
            examination.ask(check, session, Duration.ofNanos(Math.max(0, end - begin)));
        late = failure instanceof TimeoutException;
        if (late && System.nanoTime() - begin < HANGS.toNanos()) {
          examination.unanswered(check, TIME_OVER);
        } else if (failure instanceof OutOfMemoryError) {
          examination.unanswered(check, "this command has too little memory: " + failure);
        } else if (failure != null) {
          ended = check.decides() || StoreFailure.of(failure).map(StoreFailure::ends).orElse(false);
          examination.add(
              check.heading(),
              StoreFailure.explain(settings, check.question(), late ? hangs() : failure));
        }
      }
    }
    if (wrote) {
      cleanUp(session);
    }
    if (request.readOnly() && !late && !ended) {
      examination.add(Heading.WRITES, SettingsChecks.signer(settings));
    }
  }

  private TimeoutException hangs() {
    return new TimeoutException(
        "timed out: the doctor waits no longer than " + request.time().toSeconds() + " s");
  }

  private void cleanUp(StoreSession session) {
    Check<StoreSession> check = Check.of(Heading.CLEAN_UP, "clean up", StoreSession::cleanUp);
    // Who gives the store more time than usual gives its clean-up more.
    Duration quarter = request.time().dividedBy(4);
    Duration time = quarter.compareTo(CLEAN_UP_TIME) > 0 ? quarter : CLEAN_UP_TIME;
    Throwable failure = examination.ask(check, session, time);
    if (failure != null) {
      String why =
          failure instanceof TimeoutException
              ? "it took longer than " + time.toSeconds() + " s"
              : String.valueOf(failure.getMessage());
      examination.add(Heading.CLEAN_UP, List.of(session.left(why)));
    }
  }
}
