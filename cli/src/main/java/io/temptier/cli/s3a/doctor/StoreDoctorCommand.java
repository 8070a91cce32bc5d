// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.s3a.doctor;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.temptier.cli.ConfDir;
import io.temptier.cli.JsonFile;
import io.temptier.cli.Progress;
import io.temptier.cli.Terminal;
import io.temptier.cli.doctor.Check;
import io.temptier.cli.doctor.Check.Heading;
import io.temptier.cli.doctor.Examination;
import io.temptier.cli.doctor.Rollout;
import io.temptier.cli.doctor.Secrets;
import io.temptier.tier.lang.Immutable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "doctor",
    description = {
      "Examines a bucket, or a folder in it, and the settings it is reached with, by doing there"
          + " what a job does.",
      "Writes below a folder of its own, temptier-doctor-..., which it removes. Takes less than 30"
          + " s unless told otherwise."
    },
    exitCodeList = {
      "0:jobs can use it",
      "1:they cannot: some finding is an ERROR",
      "2:wrong use",
      "3:not known: the store did not answer all that was asked"
    },
    sortOptions = false)
public final class StoreDoctorCommand implements Callable<Integer> {
  private static final List<Check<BucketSettings>> OF_SETTINGS =
      Immutable.listOf(
          Check.of(
              Heading.CLASS_PATH,
              "look for S3A's jars",
              (settings, found) -> StoreTroubles.ofSettings("jars", settings).forEach(found)),
          Check.of(
              Heading.SETTINGS,
              "look at the settings",
              (settings, found) -> StoreTroubles.ofSettings("settings", settings).forEach(found)),
          Check.of(Heading.SETTINGS, "compare sizes and times", SettingsChecks::numbers),
          Check.of(Heading.CONNECTION, "look at the list of gateways", GatewayChecks::spreading),
          Check.of(Heading.SETTINGS, "look at who can read the keys", SettingsChecks::openSecrets),
          Check.of(Heading.SETTINGS, "look for unknown properties", SettingsChecks::unread),
          Check.of(Heading.BUFFERS, "look at the upload buffers", SettingsChecks::buffers));

  private static final long MOST_SECONDS = 3_600;
  private static final Pattern TARGET = Pattern.compile("s3a://([^/@?#\\s]+)(/[^\n]*)?");

  @Mixin private final Terminal terminal = new Terminal();
  @Mixin private final JsonFile json = new JsonFile();

  @Mixin private final ConfDir conf = new ConfDir();

  @Option(
      names = "--read-only",
      description = "Write nothing; what only a write can tell is left out.")
  private boolean readOnly;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      description =
          "How long to ask at most, besides the clean-up. Default: 22; more for a slow store.")
  private long seconds = 22;

  @Option(
      names = "-D",
      paramLabel = "KEY=VALUE",
      description = "A property that a job is given besides the files; may be repeated.")
  private Map<String, String> given = new LinkedHashMap<>();

  @Parameters(
      paramLabel = "s3a://BUCKET/PATH/",
      description = "The bucket, or a folder in it where jobs may write.")
  private String target = "";

  @Override
  public Integer call() {
    if (seconds < 1 || seconds > MOST_SECONDS) {
      throw terminal.wrongUse("--seconds " + seconds + ": expected 1 to " + MOST_SECONDS + ".");
    }
    Matcher place = TARGET.matcher(target);
    if (!place.matches()) {
      throw terminal.wrongUse(
          (target.indexOf('@') < 0 ? "\"" + target + "\"" : "what was given")
              + " is no bucket: expected one such as s3a://bucket/ or s3a://bucket/folder/,"
              + " without keys.");
    }
    String name = String.valueOf(place.group(1));
    String path =
        String.valueOf(place.group(2) == null ? "/" : place.group(2)).replaceAll("/+", "/");
    Path folder = conf.need(terminal);
    Rollout rollout = Rollout.readOrFail(folder);
    if (rollout.isEmpty()) {
      throw terminal.wrongUse(folder + " holds no core-site.xml.");
    }
    BucketSettings settings = new BucketSettings(name, path, rollout, given);
    Secrets secrets = new Secrets(settings.conf, BucketSettings.SECRETS.toArray(new String[0]));
    Examination examination;
    List<String> answered;
    long begin = System.nanoTime();
    try (Progress progress = terminal.progress("asking s3a://" + name + path)) {
      examination = new Examination(progress::say, secrets);
      Duration hangs = Duration.ofSeconds(Math.max(seconds, StoreDoctor.HANGS.getSeconds()));
      examination.askEach(OF_SETTINGS, settings, hangs);
      Duration time = Duration.ofSeconds(seconds).minusNanos(System.nanoTime() - begin);
      answered = new StoreDoctor(settings, time, readOnly, examination).ask();
    }
    List<String> files = new ArrayList<>();
    rollout.files().forEach(file -> files.add(file.path.toString()));
    ObjectNode about =
        // Without a mapper, which fails where Jackson's jars do not fit each other.
        JsonNodeFactory.instance
            .objectNode()
            .put("bucket", name)
            .put("path", path)
            .putPOJO("files", files)
            .putPOJO("answered", answered)
            .putPOJO("in_effect", SettingsChecks.inEffect(settings, secrets));
    String head = "s3a://" + name + path + " as in " + String.join(", ", files);
    String asked = "what was asked was answered (" + String.join(", ", answered) + ")";
    String ready = asked + ". Not tried: many tasks at a time, other users";
    return examination.publish(Immutable.listOf(head), about, ready, json, terminal);
  }
}
