// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.users;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.temptier.cli.main.Main;
import io.temptier.fixtures.Eventually;
import io.temptier.fixtures.Texts;
import io.temptier.lab.cluster.JobResult;
import io.temptier.lab.process.JavaCommand;
import io.temptier.lab.process.Shell;
import java.io.File;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * With Kerberos for HDFS and YARN, and TLS for shuffle and all pages. Without Hadoop's native
 * library our handler holds files against their owner by itself, and stock's serves none. Takes
 * minutes, and is made by request.
 */
@EnabledIfSystemProperty(named = "temptier.users", matches = "1")
final class KerberosIT extends TwoUsersContract {
  @Override
  void prepare() throws Exception {
    node.secure();
  }

  @Override
  boolean stockServes() {
    if (!SecureNode.hasNative()) {
      System.out.println("SKIPPED: stock's handler, which needs Hadoop's native library");
    }
    return SecureNode.hasNative();
  }

  @Test
  void anOperatorWithATicketIsToldAndOthersAreNot() throws Exception {
    JobResult job = sort(node.ann, "asked").result();
    String application = job.jobId().replace("job_", "application_");
    String nodes = cluster.resourceManagerUrl();
    JsonNode status = new ObjectMapper().readTree(cli(asAnn("status", "--rm", nodes)));
    assertEquals("ACTIVE", status.at("/nodes/0/mode").asText(), status.toString());
    Eventually.holds(
        "the history knows " + application,
        () -> says(asAnn("history", "--rm", nodes)).contains(application));
    // By the ticket alone: Hadoop's client finds the rest in its configuration.
    Configuration core = new Configuration(false);
    core.addResource(new Path(cluster.spec().home().resolve("conf/core-site.xml").toUri()));
    String histories = core.get("fs.defaultFS") + "/tmp/hadoop-yarn/staging/history";
    String plan = cli(List.of("plan", "--trace", histories));
    System.out.println(plan);
    assertTrue(plan.contains(histories), plan);
    String url = cluster.nodeUrl(0);
    String certificate = node.realm().certificate().toString();
    assertRefused("--truststore", "status", "--jmx", url);
    assertRefused("--negotiate", "status", "--jmx", url, "--truststore", certificate);
  }

  private void assertRefused(String hint, String... command) {
    Texts.thrown(IOException.class, () -> cli(List.of(command)), hint);
  }

  private List<String> asAnn(String... command) {
    List<String> secure = Shell.line("--negotiate", "--truststore", node.realm().certificate());
    return Shell.line(command, secure, "--timeout", "60s", "--json", "-");
  }

  /** What a command prints, or why it failed. */
  private String says(List<String> command) {
    try {
      return cli(command);
    } catch (IOException e) {
      return String.valueOf(e.getMessage());
    }
  }

  /** What a command prints that ann runs, with her ticket, on a host of the cluster. */
  private String cli(List<String> args) throws IOException {
    String conf = cluster.spec().home().resolve("conf") + File.pathSeparator;
    String classPath = conf + System.getProperty("java.class.path");
    List<String> java =
        Shell.line(JavaCommand.program(), "-cp", classPath, Main.class.getName(), args);
    return Shell.run(
        Shell.line("env", node.realm().environment(node.ann), node.realm().found(java)));
  }
}
