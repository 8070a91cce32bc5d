// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.s3a.doctor;

import static io.temptier.cli.doctor.Check.Heading.BUCKET;
import static io.temptier.cli.doctor.Check.Heading.BUFFERS;
import static io.temptier.cli.doctor.Check.Heading.CLASS_PATH;
import static io.temptier.cli.doctor.Check.Heading.CLEAN_UP;
import static io.temptier.cli.doctor.Check.Heading.CONNECTION;
import static io.temptier.cli.doctor.Check.Heading.READS;
import static io.temptier.cli.doctor.Check.Heading.SETTINGS;
import static io.temptier.cli.doctor.Check.Heading.WRITES;

import io.temptier.cli.JsonFile;
import io.temptier.cli.Terminal;
import io.temptier.cli.doctor.Check;
import io.temptier.cli.doctor.Check.Heading;
import io.temptier.cli.doctor.Examination;
import io.temptier.cli.doctor.Secrets;
import io.temptier.cli.s3a.doctor.Troubles.Failure;
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
import java.util.function.Consumer;

/**
 * Runs every check, those of the store one after another within a time that a person waits. One
 * that fails ends the rest if they could only fail too. What was written is removed whatever
 * happens.
 */
final class StoreDoctor {
  /** A check of the store that takes longer than this hangs, and so does one of the settings. */
  private static final Duration HANGS = Duration.ofSeconds(10);

  private static final Duration CLEAN_UP_TIME = Duration.ofSeconds(5);
  private static final String TIME_OVER = "time was over";

  /** What no doctor tries, for the verdict. */
  private static final String NEVER_TRIED =
      "many tasks at a time, files of more than two parts, copies above"
          + " fs.s3a.multipart.threshold, other users";

  private static final List<Check<BucketSettings>> OF_SETTINGS =
      Immutable.listOf(
          Check.of(
              CLASS_PATH,
              "look for S3A's jars",
              (it, found) -> Troubles.ofSettings("jars", it).forEach(found)),
          Check.of(
              SETTINGS,
              "look at the settings",
              (it, found) -> Troubles.ofSettings("settings", it).forEach(found)),
          Check.of(CONNECTION, "look at the list of gateways", GatewayChecks::spreading),
          Check.of(SETTINGS, "look at who can read the keys", SettingsChecks::openSecrets),
          Check.of(SETTINGS, "look for unknown properties", SettingsChecks::unread),
          Check.of(BUFFERS, "look at the upload buffers", SettingsChecks::buffers));

  /** All that come after it write, too. */
  private static final String FIRST_TO_WRITE = "empty";

  /** Where one of these fails, the rest can only fail, too. */
  private static final Set<String> DECIDE = Immutable.setOf("answer", "open", "list", "empty");

  private final BucketSettings settings;
  private final StoreDoctorCommand request;
  private final Duration time;
  private final Secrets secrets;
  private final Examination examination;

  /** By its reason what failed, by the name of the check: each reason is told once. */
  private final Map<String, Map<String, Failure>> failures = new LinkedHashMap<>();

  /** What the settings showed to be wrong: that it fails then is not told again. */
  private Set<String> wrong = Immutable.setOf();

  private final List<String> answered = new ArrayList<>();

  /** By the name by which the table of troubles knows them, and the verdict. */
  private final Map<String, Check<StoreSession>> ofStore = new LinkedHashMap<>();

  /** {@code progress} is told what the store is asked. */
  StoreDoctor(BucketSettings settings, StoreDoctorCommand request, Consumer<String> progress) {
    this.settings = settings;
    this.request = request;
    this.time = Duration.ofSeconds(request.seconds);
    this.secrets = new Secrets(settings.conf, BucketSettings.SECRETS.toArray(new String[0]));
    this.examination = new Examination(progress, secrets);
    // A method reference would load its class, and so the SDK, which may be missing.
    asks("answer", CONNECTION, "ask the gateway for anything", it -> GatewayChecks.answers(it));
    asks("open", CONNECTION, "open s3a", it -> JobChecks.open(it));
    asks("list", BUCKET, "list the path", it -> GatewayChecks.list(it));
    asks("read", READS, "read a file that is there", it -> JobChecks.first(it));
    asks("bucket", BUCKET, "ask for the bucket's rules", it -> BucketChecks.rules(it));
    asks("uploads", BUCKET, "look for open uploads", it -> BucketChecks.uploads(it));
    if (!settings.value("fs.s3a.delegation.token.binding").isEmpty()) {
      asks("token", CONNECTION, "issue a delegation token", it -> JobChecks.token(it));
    }
    asks("empty", WRITES, "make an empty file", it -> JobChecks.empty(it));
    asks("write", WRITES, "write a file and read it back", it -> JobChecks.readBack(it));
    asks("local", WRITES, "copy a local file", it -> JobChecks.fromLocal(it));
    asks("rename", WRITES, "rename a file", it -> JobChecks.rename(it));
    asks("pages", BUCKET, "list files in pages", it -> JobChecks.pages(it));
    asks("delete", WRITES, "delete a page of files", it -> JobChecks.delete(it));
    String parts = "upload a file in parts of " + settings.value(BucketSettings.PART_SIZE);
    asks("parts", WRITES, parts, it -> JobChecks.parts(it));
    String condition = "make a file only if it is not there";
    asks("condition", WRITES, condition, it -> JobChecks.conditional(it));
    String committer = settings.value("fs.s3a.committer.name").replaceAll("^$", "file");
    String commit = "commit a job by the committer " + committer;
    asks("commit", WRITES, commit, it -> JobChecks.commit(it));
    asks("replace", READS, "replace a file while it is read", it -> JobChecks.overwrite(it));
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

  void examine() {
    examination.askEach(OF_SETTINGS, settings, HANGS);
    wrong = examination.errors();
    examination.add(CLASS_PATH, SettingsChecks.required(settings, request.required));
    if (SettingsChecks.hasS3a()) {
      askStore();
    } else {
      ofStore.values().forEach(it -> examination.leaveOut(it, "S3A is not on the class path"));
    }
  }

  /** Prints the report, writes it as JSON if that is wanted, and gives the exit code. */
  int publish(JsonFile json, Terminal terminal) {
    List<String> files = new ArrayList<>();
    settings.rollout.files().forEach(file -> files.add(file.path().toString()));
    Map<String, Object> about = new LinkedHashMap<>();
    about.put("bucket", settings.bucket);
    about.put("path", settings.path);
    about.put("files", files);
    about.put("answered", answered);
    List<String> head = new ArrayList<>();
    head.add("s3a://" + settings.bucket + settings.path + " as in " + String.join(", ", files));
    if (request.inEffect) {
      SettingsChecks.addInEffect(head, about, settings, secrets);
    }
    String asked = "what was asked was answered (" + String.join(", ", answered) + ")";
    String ready = asked + ". Not tried: " + NEVER_TRIED;
    return examination.publish(head, about, ready, json, terminal);
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
      } else if (request.readOnly && writes) {
        examination.leaveOut(check, "it would write");
      } else {
        wrote = writes;
        long begin = System.nanoTime();
        Duration left = Duration.ofNanos(Math.max(0, end - begin));
        Throwable failure = examination.ask(check, session, left);
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
    if (request.readOnly && !late && !ended) {
      examination.add(WRITES, Troubles.ofSettings("read-only", settings));
    }
  }

  /**
   * Takes a failure down, by the row that explains it or by one that it is a kind of (right.delete
   * of right.delete.many), if that was met; true when the store can be asked nothing more.
   */
  private boolean failed(String name, Failure failure) {
    Optional<Troubles.Trouble> row = Troubles.of(name, failure, settings);
    String why = row.map(it -> it.name).orElse(failure.texts);
    String known =
        failures.keySet().stream().filter(it -> why.startsWith(it + ".")).findFirst().orElse(why);
    failures.computeIfAbsent(known, it -> new LinkedHashMap<>()).put(name, failure);
    return row.map(Troubles.Trouble::ends).orElse(false);
  }

  private void tell(Map<String, Failure> failed) {
    List<Check<StoreSession>> checks = new ArrayList<>();
    failed.keySet().forEach(name -> checks.add(Objects.requireNonNull(ofStore.get(name))));
    Map.Entry<String, Failure> first = failed.entrySet().iterator().next();
    List<String> asked = checks.stream().map(Check::question).collect(Immutable.toList());
    Finding finding = Troubles.explain(first.getKey(), first.getValue(), settings, asked);
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
