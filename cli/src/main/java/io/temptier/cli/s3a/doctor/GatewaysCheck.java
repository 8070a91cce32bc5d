// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.s3a.doctor;

import io.temptier.cli.doctor.Paste;
import io.temptier.s3a.endpoint.EndpointKey;
import io.temptier.s3a.endpoint.EndpointSettings;
import io.temptier.s3a.profile.SpreadSettings;
import io.temptier.tier.Finding;
import io.temptier.tier.Finding.Severity;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Endpoint spreading: its settings, and whether each of the gateways answers. */
final class GatewaysCheck implements SettingsCheck {
  private static final int PATIENCE_MILLIS = 4_000;
  private static final int BROKEN = 500;
  private static final String ENCRYPTION = "fs.s3a.encryption.algorithm";

  @Override
  public Topic topic() {
    return Topic.CONNECTION;
  }

  @Override
  public List<Finding> check(Subject subject) {
    List<Finding> findings = new ArrayList<>();
    EndpointSettings.unknownKeys(subject.conf())
        .forEach(
            (key, remedy) ->
                findings.add(
                    subject.finding(Severity.WARNING, key, "There is no such property.", remedy)));
    boolean ours = subject.value(SpreadSettings.FACTORY).equals(SpreadSettings.OURS);
    if (!ours && subject.value(EndpointKey.ENDPOINTS.key()).isEmpty()) {
      return findings;
    }
    EndpointSettings settings;
    try {
      settings = EndpointSettings.of(subject.conf());
    } catch (IllegalArgumentException e) {
      findings.add(unusable(subject, ours, String.valueOf(e.getMessage())));
      return findings;
    }
    if (ours && subject.value(ENCRYPTION).startsWith("CSE")) {
      findings.add(
          subject.finding(
              Severity.WARNING,
              ENCRYPTION,
              "With encryption by the client S3A makes its clients itself: all requests go to "
                  + Keys.ENDPOINT
                  + ".",
              "Take " + EndpointKey.ENDPOINTS + " out, or encrypt in the store."));
    }
    if (!ours) {
      findings.add(
          subject.finding(
              Severity.WARNING,
              EndpointKey.ENDPOINTS.key(),
              "Nothing reads it: all requests go to " + Keys.ENDPOINT + ".",
              Paste.into(Subject.CORE_SITE, SpreadSettings.FACTORY, SpreadSettings.OURS)));
    } else if (!settings.spreads()) {
      findings.add(
          subject.finding(
              Severity.INFO,
              EndpointKey.ENDPOINTS.key(),
              "There is one gateway or none: requests go as Hadoop sends them.",
              "List all gateways, with commas between."));
    }
    ask(subject, settings.endpoints(), findings);
    return findings;
  }

  private static Finding unusable(Subject subject, boolean ours, String why) {
    String key =
        EndpointKey.names().stream()
            .filter(name -> why.startsWith(name + " = "))
            .findFirst()
            .orElse(EndpointKey.ENDPOINTS.key());
    String value = subject.value(key);
    return new Finding(
        ours ? Severity.ERROR : Severity.WARNING,
        key,
        value.indexOf('@') < 0 ? value : "(not shown: it may hold a password)",
        subject.origin(key),
        (ours ? "No s3a path opens: " : "With TempTier's factory no s3a path would open: ") + why,
        "Mend the value, or take it out.");
  }

  private static void ask(Subject subject, List<URI> endpoints, List<Finding> findings) {
    Map<URI, CompletableFuture<Optional<String>>> asked = new LinkedHashMap<>();
    for (URI endpoint : endpoints) {
      asked.put(
          endpoint,
          CompletableFuture.supplyAsync(
              () -> trouble(endpoint),
              runnable -> {
                Thread thread = new Thread(runnable, "ask-" + endpoint);
                thread.setDaemon(true);
                thread.start();
              }));
    }
    Map<URI, String> down = new LinkedHashMap<>();
    asked.forEach(
        (endpoint, answer) -> answer.join().ifPresent(trouble -> down.put(endpoint, trouble)));
    boolean all = down.size() == endpoints.size();
    down.forEach(
        (endpoint, trouble) ->
            findings.add(
                new Finding(
                    all ? Severity.ERROR : Severity.WARNING,
                    EndpointKey.ENDPOINTS.key(),
                    endpoint.toString(),
                    subject.origin(EndpointKey.ENDPOINTS.key()),
                    "This gateway does not answer ("
                        + trouble
                        + ")"
                        + (all ? ", as none does." : ": requests go to the others until it does."),
                    "Start it, mend the address, or take it out of the list.")));
  }

  /** Why it does not answer; empty when it does, whatever it says. */
  private static Optional<String> trouble(URI endpoint) {
    try {
      HttpURLConnection connection = PlainRequest.to(endpoint.toString(), PATIENCE_MILLIS);
      try {
        int code = connection.getResponseCode();
        return code >= BROKEN ? Optional.of("status " + code) : Optional.empty();
      } finally {
        connection.disconnect();
      }
    } catch (IOException e) {
      return Optional.of(e.toString());
    }
  }
}
