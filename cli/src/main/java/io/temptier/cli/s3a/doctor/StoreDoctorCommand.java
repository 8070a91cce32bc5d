// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.s3a.doctor;

import io.temptier.cli.ConfDir;
import io.temptier.cli.JsonFile;
import io.temptier.cli.Progress;
import io.temptier.cli.Terminal;
import io.temptier.cli.doctor.Rollout;
import java.nio.file.Path;
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

/** {@code temptier s3a doctor}. */
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
  private static final long MOST_SECONDS = 3_600;
  private static final Pattern TARGET = Pattern.compile("s3a://([^/@?#\\s]+)(/[^\n]*)?");

  @Mixin private final Terminal terminal = new Terminal();
  @Mixin private final JsonFile json = new JsonFile();

  @Mixin private final ConfDir conf = new ConfDir();

  @Option(
      names = "--read-only",
      description = "Write nothing; what only a write can tell is left out.")
  boolean readOnly;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      description =
          "How long to ask at most, besides the clean-up. Default: 22; more for a slow store.")
  long seconds = 22;

  @Option(
      names = "--in-effect",
      description =
          "Show every property of S3A in effect with where it comes from, and the jars that S3A"
              + " runs with.")
  boolean inEffect;

  @Option(
      names = "-D",
      paramLabel = "KEY=VALUE",
      description = "A property that a job is given besides the files; may be repeated.")
  private Map<String, String> given = new LinkedHashMap<>();

  @Option(
      names = "--require",
      paramLabel = "CLASS",
      description =
          "A class, or a resource with a / in its name, that must be on the class path; may be"
              + " repeated.")
  List<String> required = new ArrayList<>();

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
    StoreDoctor doctor;
    try (Progress progress = terminal.progress("asking s3a://" + name + path)) {
      doctor = new StoreDoctor(settings, this, progress::say);
      doctor.examine();
    }
    return doctor.publish(json, terminal);
  }
}
