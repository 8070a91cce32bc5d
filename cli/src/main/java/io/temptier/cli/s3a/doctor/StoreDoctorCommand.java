// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.s3a.doctor;

import io.temptier.cli.CommandFailure;
import io.temptier.cli.ExitCodes;
import io.temptier.cli.JsonFile;
import io.temptier.cli.Progress;
import io.temptier.cli.Terminal;
import io.temptier.cli.doctor.Rollout;
import io.temptier.cli.doctor.RolloutReader;
import io.temptier.tier.KernelClassifier;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code temptier s3a doctor}. */
@Command(
    name = "doctor",
    description = {
      "Examines a bucket and the settings it is reached with, by asking the store itself.",
      "Writes below a prefix of its own, temptier-doctor-..., which it removes. Takes less than 30"
          + " s unless told otherwise."
    },
    exitCodeList = {"0:jobs can use it", "1:they cannot: some finding is an ERROR", "2:wrong use"},
    sortOptions = false)
public final class StoreDoctorCommand implements Callable<Integer> {
  private static final long MOST_SECONDS = 3_600;

  @Mixin private final Terminal terminal = new Terminal();
  @Mixin private final JsonFile json = new JsonFile();

  @Option(
      names = "--conf-dir",
      paramLabel = "DIR",
      description =
          "The folder with core-site.xml. Default: the one Hadoop finds on its class path.")
  private @Nullable Path confDir;

  @Option(
      names = "--read-only",
      description = "Write nothing; what only a write can tell is left out.")
  private boolean readOnly;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      description =
          "How long to ask at most, besides the clean-up. Default: 22; more for a slow store.")
  private long seconds = StoreDoctor.TIME.toSeconds();

  @Parameters(paramLabel = "s3a://BUCKET/", description = "The bucket.")
  private String bucket = "";

  /** Creates the command; picocli fills it in. */
  public StoreDoctorCommand() {}

  @Override
  public Integer call() {
    if (seconds < 1 || seconds > MOST_SECONDS) {
      throw terminal.wrongUse("--seconds " + seconds + ": expected 1 to " + MOST_SECONDS + ".");
    }
    String name = bucketName();
    Path folder = folder();
    RolloutReader reader = new RolloutReader(folder, new KernelClassifier());
    if (!reader.anyFile()) {
      throw terminal.wrongUse(folder + " holds no core-site.xml.");
    }
    Optional<Rollout> rollout = reader.read();
    if (rollout.isEmpty()) {
      throw new CommandFailure(
          "the files cannot be read. `temptier doctor --conf-dir " + folder + "` says why.");
    }
    StoreDiagnosis diagnosis;
    try (Progress progress = terminal.progress("asking s3a://" + name + "/")) {
      diagnosis =
          new StoreDoctor(
                  Subject.of(name, rollout.get()),
                  readOnly,
                  Duration.ofSeconds(seconds),
                  progress::say)
              .examine();
    }
    new StoreDoctorText(json.textOf(terminal), terminal).print(diagnosis);
    json.write(StoreDoctorJson.of(diagnosis), terminal);
    return diagnosis.ready() ? ExitCodes.FINE : ExitCodes.FAILED;
  }

  private String bucketName() {
    try {
      URI uri = new URI(bucket);
      String name = uri.getRawAuthority();
      boolean alone = uri.getRawPath() == null || uri.getRawPath().replace("/", "").isEmpty();
      if ("s3a".equals(uri.getScheme()) && name != null && alone && name.indexOf('@') < 0) {
        return name;
      }
    } catch (URISyntaxException e) {
      // Said below.
    }
    throw terminal.wrongUse(
        (bucket.indexOf('@') < 0 ? "\"" + bucket + "\"" : "what was given")
            + " is no bucket: expected one such as s3a://bucket/, without keys and folders.");
  }

  private Path folder() {
    if (confDir != null) {
      terminal.readable("--conf-dir", confDir);
      return confDir;
    }
    URL found = Thread.currentThread().getContextClassLoader().getResource("core-site.xml");
    if (found == null || !"file".equals(found.getProtocol())) {
      throw terminal.wrongUse(
          "no core-site.xml is on the class path: name its folder with --conf-dir.");
    }
    Path file = Path.of(URI.create(found.toString()));
    Path parent = file.getParent();
    return parent == null ? file : parent;
  }
}
