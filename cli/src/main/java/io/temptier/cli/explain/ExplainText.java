// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.explain;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.temptier.cli.JsonFile.Json;
import io.temptier.cli.Words;
import io.temptier.cli.status.TierSum;
import io.temptier.tier.text.Quoted;
import io.temptier.tier.text.Sizes;
import java.io.PrintWriter;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The answer, for people and for programs. */
final class ExplainText {
  /** An application's folder, which would fill the line, and what is below. */
  private static final Pattern PATH = Pattern.compile("(.*/application_\\d+_\\d+)/(.+)");

  private final String question;
  private final List<ObjectNode> files;
  private final PrintWriter out;

  ExplainText(String question, List<ObjectNode> files, PrintWriter out) {
    this.question = question;
    this.files = files;
    this.out = out;
  }

  void print() {
    if (files.size() == 1) {
      printOne(files.get(0));
    } else {
      printAll();
    }
  }

  /** Sums of the files that are there, one for each tier, fastest first. */
  private Map<String, LongSummaryStatistics> sums() {
    Map<String, LongSummaryStatistics> sums = new TreeMap<>(TierSum.FASTEST_FIRST);
    files.stream()
        .filter(file -> file.has("bytes"))
        .forEach(
            file ->
                sums.computeIfAbsent(text(file, "medium"), key -> new LongSummaryStatistics())
                    .accept(file.path("bytes").asLong()));
    return sums;
  }

  JsonNode json() {
    ObjectNode root = Json.object();
    ArrayNode tiers = root.put("question", question).putArray("tiers");
    for (Map.Entry<String, LongSummaryStatistics> each : sums().entrySet()) {
      LongSummaryStatistics sum = each.getValue();
      ObjectNode tier = tiers.addObject().put("medium", each.getKey());
      tier.put("files", sum.getCount()).put("bytes", sum.getSum());
    }
    root.putArray("files").addAll(files);
    return root;
  }

  private void printOne(ObjectNode file) {
    boolean exists = file.has("bytes");
    out.println(Quoted.oneLine(text(file, "path")));
    String where = text(file, "medium") + ", in " + text(file, "dir");
    line(exists ? "lies on" : "gone", exists ? where : "was on " + where);
    line("is a", exists ? kind(file) : kind(file) + ", no longer there");
    if (file.has("demoted")) {
      line("because", why(file));
    }
    JsonNode made = file.path("decision");
    if (made.isObject()) {
      line(file.has("demoted") ? "at first" : "because", text(made, "why"));
      String size = Sizes.format(made.path("expectedBytes").asLong());
      String known = made.path("sizeKnown").asBoolean() ? "" : " (the size was not known)";
      line(
          "decided",
          String.format(
              "%s by process %d, for %s%s", time(made), made.path("pid").asLong(), size, known));
    }
    if (file.has("note")) {
      line(file.has("demoted") || made.isObject() ? "note" : "because", text(file, "note"));
    }
  }

  /** The reason in a sentence, or that there is none. */
  private static String why(ObjectNode file) {
    JsonNode moved = file.path("demoted");
    return moved.isObject()
        ? String.format(
            "it was demoted at %s from %s, %s, to %s, %s: %s",
            time(moved),
            text(moved, "fromMedium"),
            text(moved, "fromDir"),
            text(moved, "toMedium"),
            text(moved, "toDir"),
            text(moved, "why"))
        : file.path("decision").path("why").asText("no record");
  }

  private static String text(JsonNode node, String member) {
    return node.path(member).asText();
  }

  private static Instant time(JsonNode node) {
    return Instant.ofEpochMilli(node.path("timeMillis").asLong()).truncatedTo(ChronoUnit.SECONDS);
  }

  private void line(String label, String text) {
    Words.wrap(out, Quoted.oneLine(text), String.format("  %-8s ", label), "           ");
  }

  private void printAll() {
    List<String> sums = new ArrayList<>();
    sums()
        .forEach(
            (tier, sum) ->
                sums.add(sum.getCount() + " on " + tier + " (" + Sizes.format(sum.getSum()) + ")"));
    String all = String.join(", ", sums);
    Words.wrap(out, files.size() + " files of " + question + ": " + all + ".");
    Map<String, Integer> unrecorded = new TreeMap<>();
    files.stream()
        .filter(file -> !file.has("decision") && !file.has("demoted"))
        .forEach(file -> unrecorded.merge(text(file, "note"), 1, Integer::sum));
    unrecorded.forEach(
        (note, count) -> Words.wrap(out, count + " without a record. " + Quoted.oneLine(note)));
    out.println();
    String before = "";
    for (ObjectNode file : files) {
      Matcher path = PATH.matcher(Quoted.oneLine(text(file, "path")));
      String folder = path.matches() ? path.group(1) : "";
      if (!folder.equals(before)) {
        out.println("In " + folder);
        before = folder;
      }
      out.println(path.matches() ? path.group(2) : text(file, "path"));
      String medium = text(file, "medium") + ": ";
      String why = why(file).startsWith(medium) ? why(file) : medium + why(file);
      Words.wrap(out, Quoted.oneLine(kind(file) + ", " + why), "  ", "  ");
    }
  }

  private static String kind(ObjectNode file) {
    String kind = text(file, "kind").toLowerCase(Locale.ROOT).replace('_', ' ');
    return file.has("bytes") ? kind + ", " + Sizes.format(file.path("bytes").asLong()) : kind;
  }
}
