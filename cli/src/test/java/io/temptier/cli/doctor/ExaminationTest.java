// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.temptier.cli.ExitCodes;
import io.temptier.cli.JsonFile;
import io.temptier.cli.Run;
import io.temptier.cli.Terminal;
import io.temptier.cli.doctor.Check.Heading;
import io.temptier.tier.text.Finding;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** What becomes of checks that find something, fail, hang, or are left out. */
class ExaminationTest {
  private static final Duration LONG = Duration.ofMinutes(5);
  private static final Check<String> FINE =
      Check.of(Heading.FILES, "look at files", (name, found) -> {});
  private static final Check<String> FAILS =
      Check.of(
          Heading.TIERS,
          "look at tiers",
          (name, found) -> {
            throw new IllegalStateException("no " + name + " for hunter2");
          });
  private static final Check<String> WARNS =
      Check.of(
          Heading.FILES,
          "look again",
          (name, found) ->
              found.accept(finding(Finding.Severity.WARNING, name, "It says hunter2.")));

  private static Finding finding(Finding.Severity severity, String value, String says) {
    return Finding.of(severity, "a.b", value, "here", says, "Mend it.");
  }

  private final List<String> asked = new ArrayList<>();
  private final Examination examination = new Examination(asked::add, secrets());

  /** Publishes a report as the doctors do. */
  @Command(name = "published")
  static final class Published implements Callable<Integer> {
    @Mixin private final Terminal terminal = new Terminal();
    @Mixin private final JsonFile file = new JsonFile();
    private final Examination examination;

    Published(Examination examination) {
      this.examination = examination;
    }

    @Override
    public Integer call() {
      ObjectNode about = new ObjectMapper().createObjectNode().put("node", 1);
      return examination.publish(List.of("NODE"), about, "", file, terminal);
    }
  }

  private static Secrets secrets() {
    Configuration conf = new Configuration(false);
    conf.set("fs.s3a.secret.key", "hunter2");
    return new Secrets(conf, "fs.s3a.secret.key");
  }

  private Run publish(String... args) {
    StringWriter out = new StringWriter();
    CommandLine line = new CommandLine(new Published(examination)).setOut(new PrintWriter(out));
    return new Run(line.execute(args), out.toString(), "").lacks("hunter2");
  }

  @Test
  void whatIsAnsweredIsReadyAndWhatIsLeftOutNoDoubt() throws Exception {
    examination.askEach(List.of(FINE, WARNS), "tier", LONG);
    examination.leaveOut(WARNS, "it would write");
    assertEquals(List.of("look at files", "look again"), asked);
    Run run = publish().fine("It says <redacted>.", "Not asked, since it would write");
    assertTrue(run.out().startsWith("Ready: no errors, 1 warning, no remarks.\nNODE"), run.out());
    JsonNode json = publish("--json", "-").fine().json();
    assertEquals("files", json.at("/findings/0/topic").asText());
    assertEquals("WARNING", json.at("/findings/0/severity").asText());
    assertEquals(1, json.get("node").asInt());
    assertEquals(0, json.get("unanswered").size());
    assertEquals("look again", json.at("/unasked/it would write/0").asText());
  }

  @Test
  void aCheckThatFailsIsNoAnswer() throws Exception {
    examination.askEach(List.of(FAILS, FINE), "tier", LONG);
    publish()
        .ends(ExitCodes.UNANSWERED)
        .says(
            "Files: ok",
            "Not answered, since it failed with",
            "no tier for <redacted>",
            "Not known to be ready: no errors, 1 check without an")
        .lacks("Tiers");
    JsonNode json = publish("--json", "-").ends(ExitCodes.UNANSWERED).json();
    assertEquals("look at tiers", json.at("/unanswered/0").asText());
    assertFalse(json.get("ready").asBoolean());
    examination.add(Heading.TASKS, List.of(finding(Finding.Severity.ERROR, "1", "Wrong.")));
    // An error says more than no answer.
    publish().failed().says("Not ready: 1 error, 1 check without an answer,");
  }

  @Test
  void aCheckThatHangsIsLeftBehind() {
    CountDownLatch never = new CountDownLatch(1);
    Check<String> hangs = Check.of(Heading.FILES, "wait", (name, found) -> never.await());
    examination.askEach(List.of(FINE), "tier", LONG);
    examination.askEach(List.of(hangs), "tier", Duration.ofMillis(200));
    publish()
        .ends(ExitCodes.UNANSWERED)
        .says("Files: ok, as far as it was asked", "Not answered, since it took longer than 0 s");
  }
}
