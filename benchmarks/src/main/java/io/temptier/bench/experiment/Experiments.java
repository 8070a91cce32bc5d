// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.experiment;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.temptier.tier.Sizes;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The files of experiments, {@code benchmarks/experiments/*.json}. */
public final class Experiments {
  private static final JsonMapper MAPPER =
      JsonMapper.builder().enable(MapperFeature.ACCEPT_CASE_INSENSITIVE_ENUMS).build();
  private static final Pattern QUESTION = Pattern.compile("\"question\": \"([^\"]*)\"");
  private static final Pattern SIZE = Pattern.compile("\\d+[kmgKMG]");
  private static final String QUICK = "quick";
  private static final String WORKLOAD = "workload";
  private static final String ARMS = "arms";

  private Experiments() {}

  /** All that come with the benchmarks, in the order to show them. */
  public static List<String> names() {
    return resource("list.txt").lines().toList();
  }

  /** What an experiment asks. Cheap: each start of the command line has it of every experiment. */
  public static String question(String name) {
    Matcher question = QUESTION.matcher(text(name));
    return question.find() ? question.group(1) : name;
  }

  /** The file of one that comes with the benchmarks. */
  public static String text(String name) {
    return resource(name + ".json");
  }

  private static String resource(String name) {
    try (InputStream in = Experiments.class.getResourceAsStream("/experiments/" + name)) {
      if (in == null) {
        throw new IllegalStateException("the class path has no experiments/" + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Every arm that has a name of its own, for files to name. */
  static List<Arm> arms() {
    try {
      return List.of(MAPPER.readValue(resource("arms.json"), Arm[].class));
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** One that comes with the benchmarks. */
  public static Experiment named(String name, boolean quick) {
    return of(name, text(name), quick, Map.of());
  }

  /**
   * Reads an experiment.
   *
   * @param quick whether with the less that its file has for that
   * @param changes of its workload's properties; sizes such as {@code 128m} are bytes
   * @throws IllegalArgumentException when something in it is wrong; the text is for people
   */
  public static Experiment of(
      String label, String text, boolean quick, Map<String, String> changes) {
    try {
      ObjectNode file = (ObjectNode) MAPPER.readTree(text);
      ObjectNode workload = (ObjectNode) file.get(WORKLOAD);
      JsonNode less = file.path(QUICK);
      file.remove(QUICK);
      file.put("label", label);
      ArrayNode arms = file.withArray(ARMS);
      for (int i = 0; i < arms.size(); i++) {
        String named = arms.get(i).asText();
        if (arms.get(i).isTextual()) {
          arms.set(i, MAPPER.valueToTree(only(arms(), Arm::label, List.of(named)).get(0)));
        }
      }
      if (quick) {
        workload.setAll((ObjectNode) less.path(WORKLOAD));
      }
      for (Map.Entry<String, String> change : changes.entrySet()) {
        if (!workload.has(change.getKey())) {
          throw new IllegalArgumentException(
              "%s: the workload of %s has no such property, but %s"
                  .formatted(change.getKey(), label, fields(workload)));
        }
        workload.put(change.getKey(), change.getValue());
      }
      workload.fields().forEachRemaining(one -> one.setValue(bytes(one.getValue())));
      Experiment whole = MAPPER.treeToValue(file, Experiment.class);
      return quick
          ? whole.only(
              only(whole.settings(), Setting::name, texts(less.path("settings"))),
              only(whole.arms(), Arm::label, texts(less.path(ARMS))))
          : whole;
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(label + ": " + e.getOriginalMessage(), e);
    }
  }

  private static <T> List<T> only(List<T> all, Function<T, String> label, List<String> wanted) {
    for (String name : wanted) {
      if (all.stream().noneMatch(one -> label.apply(one).equals(name))) {
        throw new IllegalArgumentException(
            name + " is none of " + all.stream().map(label).collect(Collectors.joining(", ")));
      }
    }
    return wanted.isEmpty()
        ? all
        : all.stream().filter(one -> wanted.contains(label.apply(one))).toList();
  }

  private static String fields(ObjectNode workload) {
    List<String> names = new ArrayList<>();
    workload.fieldNames().forEachRemaining(names::add);
    return String.join(", ", names.subList(1, names.size()));
  }

  private static List<String> texts(JsonNode array) {
    List<String> texts = new ArrayList<>();
    array.forEach(text -> texts.add(text.asText()));
    return texts;
  }

  private static JsonNode bytes(JsonNode value) {
    return value.isTextual() && SIZE.matcher(value.asText()).matches()
        ? MAPPER.getNodeFactory().numberNode(Sizes.parse(value.asText()))
        : value;
  }
}
