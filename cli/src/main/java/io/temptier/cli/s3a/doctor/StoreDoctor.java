// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.s3a.doctor;

import com.google.auto.value.AutoValue;
import io.temptier.cli.doctor.Check;
import io.temptier.cli.doctor.DoctorReport;
import io.temptier.cli.doctor.Examination;
import io.temptier.cli.doctor.Heading;
import io.temptier.cli.doctor.Secrets;
import io.temptier.tier.Finding;
import io.temptier.tier.Immutable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.stream.Collectors;

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

  /** What no doctor tries, for the verdict. */
  private static final String NEVER_TRIED =
      "many tasks at a time, files of more than two parts, copies above"
          + " fs.s3a.multipart.threshold, other users";

  private static final List<Check<BucketSettings>> SETTINGS =
      Immutable.listOf(
          Check.of(Heading.CLASS_PATH, "look for S3A's jars", Jars::check),
          Check.of(Heading.SETTINGS, "look at the settings", Troubles::ofSettings),
          Check.of(Heading.CONNECTION, "look at the list of gateways", GatewayChecks::spreading),
          Check.of(Heading.SETTINGS, "look at who can read the keys", SettingsChecks::openSecrets),
          Check.of(Heading.SETTINGS, "look for unknown properties", SettingsChecks::unread),
          Check.of(Heading.SETTINGS, "look at the stream", SettingsChecks::stream),
          Check.of(Heading.SETTINGS, "look at the readahead", SettingsChecks::readahead),
          Check.of(Heading.SETTINGS, "look at the timeouts", SettingsChecks::timeouts),
          Check.of(Heading.SETTINGS, "look at the connections", SettingsChecks::pool),
          Check.of(Heading.BUFFERS, "look at the upload buffers", UploadBufferCheck::check));

  /** What is asked for. */
  @AutoValue
  abstract static class Request {
    /** Whether to leave out all that writes. */
    abstract boolean readOnly();

    /**
     * How long to ask the store at most, besides a quarter of it, at least five seconds, for the
     * clean-up.
     */
    abstract Duration time();

    /** Whether to show what S3A runs with. */
    abstract boolean inEffect();

    /** The age from which open uploads are aborted; empty for none. */
    abstract Optional<Duration> abort();

    /** How much to write and read to see how fast that is; empty for nothing. */
    abstract Optional<Long> bandwidthBytes();

    /** Classes and resources that must be on the class path. */
    abstract List<String> required();

    static Request of(
        boolean readOnly,
        Duration time,
        boolean inEffect,
        Optional<Duration> abort,
        Optional<Long> bandwidthBytes,
        List<String> required) {
      return new AutoValue_StoreDoctor_Request(
          readOnly, time, inEffect, abort, bandwidthBytes, required);
    }
  }

  /** A question to the store. */
  @AutoValue
  abstract static class Question {
    /** By which the table of troubles knows it, and the verdict. */
    abstract String name();

    abstract Check<StoreSession> check();

    static Question of(String name, Check<StoreSession> check) {
      return new AutoValue_StoreDoctor_Question(name, check);
    }
  }

  /** What was failed for the same reason: told once. */
  @AutoValue
  abstract static class Told {
    abstract Heading heading();

    abstract Finding first();

    abstract List<String> also();

    static Told of(Heading heading, Finding first, List<String> also) {
      return new AutoValue_StoreDoctor_Told(heading, first, also);
    }
  }

  private final BucketSettings settings;
  private final Request request;
  private final Examination examination;
  private final Map<String, Told> failures = new LinkedHashMap<>();
  private final List<String> answered = new ArrayList<>();

  /** {@code progress} is told what the store is asked. */
  StoreDoctor(BucketSettings settings, Request request, Consumer<String> progress) {
    this.settings = settings;
    this.request = request;
    this.examination = new Examination(progress);
  }

  private List<Question> ofStore() {
    List<Question> all = new ArrayList<>();
    reads(
        all, "answer", Heading.CONNECTION, "ask the gateway for anything", GatewayChecks::answers);
    // A method reference would load its class, and so the SDK, which may be missing.
    reads(all, "open", Heading.CONNECTION, "open s3a", session -> JobChecks.open(session));
    reads(all, "list", Heading.BUCKET, "list the path", GatewayChecks::list);
    asks(all, false, "read", Heading.READS, "read a file that is there", it -> JobChecks.first(it));
    asks(
        all,
        false,
        "bucket",
        Heading.BUCKET,
        "ask for the bucket's rules",
        s -> BucketChecks.rules(s));
    asks(
        all,
        request.abort().isPresent(),
        "uploads",
        Heading.BUCKET,
        "look for uploads that nobody completed",
        session -> BucketChecks.uploads(session, request.abort()));
    all.add(
        Question.of(
            "empty",
            Check.of(
                Heading.WRITES, "make an empty file", true, true, it -> ObjectChecks.empty(it))));
    asks(
        all,
        true,
        "write",
        Heading.WRITES,
        "write a file and read it back",
        ObjectChecks::readBack);
    asks(all, true, "local", Heading.WRITES, "copy a local file", ObjectChecks::fromLocal);
    asks(all, true, "rename", Heading.WRITES, "rename a file", ObjectChecks::rename);
    asks(all, true, "pages", Heading.BUCKET, "list files in pages", ObjectChecks::pages);
    asks(all, true, "delete", Heading.WRITES, "delete a page of files", ObjectChecks::delete);
    asks(
        all,
        true,
        "parts",
        Heading.WRITES,
        "upload a file in parts of " + settings.value(S3aKey.PART_SIZE),
        ObjectChecks::parts);
    asks(
        all,
        true,
        "condition",
        Heading.WRITES,
        "make a file only if it is not there",
        ObjectChecks::conditional);
    String committer = settings.value(S3aKey.COMMITTER);
    asks(
        all,
        true,
        "commit",
        Heading.WRITES,
        "commit a job by the committer " + (committer.isEmpty() ? "file" : committer),
        session -> JobChecks.commit(session));
    asks(
        all,
        true,
        "replace",
        Heading.READS,
        "replace a file while it is read",
        ObjectChecks::overwrite);
    if (!settings.value(S3aKey.TOKENS).isEmpty()) {
      asks(
          all,
          true,
          "token",
          Heading.CONNECTION,
          "issue a delegation token",
          it -> JobChecks.token(it));
    }
    request
        .bandwidthBytes()
        .ifPresent(
            bytes ->
                asks(
                    all,
                    true,
                    "bandwidth",
                    Heading.READS,
                    "measure the bandwidth",
                    session -> JobChecks.bandwidth(session, bytes)));
    return all;
  }

  /** A question that writes nothing, and without an answer to which none can follow. */
  private static void reads(
      List<Question> all,
      String name,
      Heading heading,
      String question,
      Check.Look<StoreSession> look) {
    all.add(Question.of(name, Check.of(heading, question, false, true, look)));
  }

  private static void asks(
      List<Question> all,
      boolean writes,
      String name,
      Heading heading,
      String question,
      Check.Look<StoreSession> look) {
    all.add(Question.of(name, Check.of(heading, question, writes, false, look)));
  }

  DoctorReport examine() {
    examination.askEach(SETTINGS, settings, HANGS);
    examination.add(Heading.CLASS_PATH, Jars.required(request.required()));
    if (Jars.hasS3a()) {
      askStore();
    } else {
      ofStore().forEach(it -> examination.leaveOut(it.check(), "S3A is not on the class path"));
    }
    List<String> files =
        settings.rollout().files().stream()
            .map(file -> file.path().toString())
            .collect(Collectors.toList());
    Map<String, Object> about = new LinkedHashMap<>();
    about.put("bucket", settings.bucket());
    about.put("path", settings.path());
    about.put("files", files);
    about.put("answered", answered);
    List<String> head = new ArrayList<>();
    head.add("s3a://" + settings.bucket() + settings.path() + " as in " + String.join(", ", files));
    Secrets secrets =
        new Secrets(settings.conf(), S3aKey.ACCESS_KEY, S3aKey.SECRET_KEY, S3aKey.SESSION_TOKEN);
    if (request.inEffect()) {
      InEffect.addTo(head, about, settings, secrets);
    }
    return examination.report(
        secrets,
        head,
        about,
        "what was asked was answered ("
            + String.join(", ", answered)
            + "). Not tried: "
            + NEVER_TRIED);
  }

  private void askStore() {
    long end = System.nanoTime() + request.time().toNanos();
    Duration half = request.time().dividedBy(2);
    StoreSession session = new StoreSession(settings, half.compareTo(HANGS) > 0 ? half : HANGS);
    boolean wrote = false;
    boolean late = false;
    boolean ended = false;
    for (Question question : ofStore()) {
      Check<StoreSession> check = question.check();
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
          ended = failed(question, Failure.of(late ? hangs() : failure)) || check.decides();
        } else {
          answered.add(question.name());
        }
      }
    }
    failures.values().forEach(this::tell);
    if (wrote) {
      cleanUp(session);
    }
    if (request.readOnly() && !late && !ended) {
      examination.add(Heading.WRITES, SettingsChecks.signer(settings));
    }
  }

  /** Takes a failure down; true when the store can be asked nothing more. */
  private boolean failed(Question question, Failure failure) {
    Optional<Troubles.Trouble> row = Troubles.of(question.name(), failure, settings);
    String why = row.map(Troubles.Trouble::name).orElse(failure.texts());
    Told told = failures.get(why);
    if (told == null) {
      Finding finding =
          Troubles.explain(question.name(), question.check().question(), failure, settings);
      failures.put(why, Told.of(question.check().heading(), finding, new ArrayList<>()));
    } else {
      told.also().add(question.check().question());
    }
    return row.map(Troubles.Trouble::ends).orElse(false);
  }

  private void tell(Told told) {
    Finding first = told.first();
    String also =
        told.also().isEmpty()
            ? ""
            : " The same happened to: " + String.join(", ", told.also()) + ".";
    examination.add(
        told.heading(),
        Immutable.listOf(
            Finding.of(
                first.severity(),
                first.key(),
                first.value(),
                first.origin(),
                first.consequence() + also,
                first.remedy())));
  }

  private TimeoutException hangs() {
    return new TimeoutException(
        "timed out: the doctor waits no longer than " + request.time().getSeconds() + " s");
  }

  private void cleanUp(StoreSession session) {
    Check<StoreSession> check =
        Check.of(
            Heading.CLEAN_UP,
            "clean up",
            it -> {
              List<String> left = it.cleanUp();
              return left.isEmpty() ? Immutable.listOf() : left(it, String.join("; ", left));
            });
    // Who gives the store more time than usual gives its clean-up more.
    Duration quarter = request.time().dividedBy(4);
    Duration time = quarter.compareTo(CLEAN_UP_TIME) > 0 ? quarter : CLEAN_UP_TIME;
    Throwable failure = examination.ask(check, session, time);
    if (failure != null) {
      String why =
          failure instanceof TimeoutException
              ? "it took longer than " + time.getSeconds() + " s"
              : String.valueOf(failure.getMessage());
      examination.add(Heading.CLEAN_UP, left(session, why));
    }
  }

  private List<Finding> left(StoreSession session, String why) {
    return Troubles.named("left", settings, session.scratch().toString(), why, session.scratch());
  }
}
