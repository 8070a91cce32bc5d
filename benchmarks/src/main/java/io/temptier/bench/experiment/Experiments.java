// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.experiment;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.exc.InvalidFormatException;
import com.fasterxml.jackson.databind.exc.InvalidTypeIdException;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.temptier.bench.experiment.Experiment.Bounds;
import io.temptier.tier.text.Sizes;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The files of experiments, {@code benchmarks/experiments/*.json}. */
public final class Experiments {
  private static final JsonMapper MAPPER =
      JsonMapper.builder().enable(MapperFeature.ACCEPT_CASE_INSENSITIVE_ENUMS).build();

  /** For workloads, none of whose numbers may be missing. */
  private static final ObjectMapper STRICT =
      MAPPER.copy().enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES);

  private static final Pattern SIZE = Pattern.compile("\\d+[kmgKMG]");
  private static final String REMEDY = ": correct it, or compare it with e1.json";
  private static final String QUICK = "quick";
  private static final String WORKLOAD = "workload";
  private static final String ARMS = "arms";
  private static final String BOUNDS = "bounds";

  private record Only(Workload workload) {}

  private Experiments() {}

  /** Those that come with the benchmarks, in the order to list and run them. */
  public static List<String> names() {
    return resource("list.txt").lines().toList();
  }

  /** The file of one that comes with the benchmarks. */
  public static String text(String name) {
    return resource(name + ".json");
  }

  private static String resource(String name) {
    try (InputStream in = file(name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A file that an experiment names: of those that come with the benchmarks, or the user's. */
  public static InputStream file(String name) throws IOException {
    InputStream in = Experiments.class.getResourceAsStream("/experiments/" + name);
    if (in == null && !Files.isReadable(Path.of(name))) {
      throw new IOException(name + " is no file that can be read");
    }
    return in != null ? in : Files.newInputStream(Path.of(name));
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
   * @param changes of its workload's properties and its bounds; sizes such as {@code 128m} are
   *     bytes
   * @throws IllegalArgumentException when something in it is wrong; the text is for people
   */
  public static Experiment of(
      String label, String text, boolean quick, Map<String, String> changes) {
    try {
      ObjectNode file = MAPPER.readValue(text, ObjectNode.class);
      if (!(file.get(WORKLOAD) instanceof ObjectNode workload)
          || !(file.get(ARMS) instanceof ArrayNode arms)
          || !file.path("settings").isArray()
          || !file.path("question").isTextual()) {
        throw new IllegalArgumentException(
            "question, workload, settings or arms is missing" + REMEDY);
      }
      JsonNode less = file.path(QUICK);
      file.remove(QUICK);
      file.put("label", label);
      for (int i = 0; i < arms.size(); i++) {
        String named = arms.get(i).asText();
        if (arms.get(i).isTextual()) {
          arms.set(i, MAPPER.valueToTree(only(ARMS, arms(), Arm::label, List.of(named)).get(0)));
        }
      }
      if (quick && less.path(WORKLOAD) instanceof ObjectNode fewer) {
        workload.setAll(fewer);
      }
      ObjectNode bounds = MAPPER.valueToTree(Bounds.USUAL);
      if (file.path(BOUNDS) instanceof ObjectNode other) {
        bounds.setAll(other);
      }
      file.set(BOUNDS, bounds);
      changes.forEach((key, value) -> change(label, workload, bounds, key, value));
      for (ObjectNode one : List.of(workload, bounds)) {
        one.fields().forEachRemaining(field -> field.setValue(bytes(field.getValue())));
      }
      file.remove(WORKLOAD);
      Experiment whole =
          MAPPER
              .treeToValue(file, Experiment.class)
              .with(
                  STRICT
                      .treeToValue(MAPPER.createObjectNode().set(WORKLOAD, workload), Only.class)
                      .workload());
      check(whole);
      return quick
          ? whole.only(
              only("quick.settings", whole.settings(), Setting::name, texts(less.path("settings"))),
              only("quick.arms", whole.arms(), Arm::label, texts(less.path(ARMS))))
          : whole;
    } catch (JsonMappingException e) {
      throw new IllegalArgumentException(fault(e) + REMEDY, e);
    } catch (JsonProcessingException e) {
      String line = e.getLocation() == null ? "" : " in line " + e.getLocation().getLineNr();
      throw new IllegalArgumentException(
          "it is no JSON" + line + ": " + e.getOriginalMessage() + REMEDY, e);
    }
  }

  /** Puts another value for a property of the workload or a bound. */
  private static void change(
      String label, ObjectNode workload, ObjectNode bounds, String key, String value) {
    ObjectNode changed = workload.has(key) ? workload : bounds;
    if (!changed.has(key)) {
      throw new IllegalArgumentException(
          "%s=%s: the workload of %s has no such property, but %s; its bounds are %s"
              .formatted(key, value, label, fields(workload, 1), fields(bounds, 0)));
    }
    double before = bytes(changed.get(key)).asDouble();
    changed.put(key, value);
    if (before > 0 && value.matches("0|-.*")) {
      throw new IllegalArgumentException(key + "=" + value + " is not above 0");
    }
  }

  /** Checks that goals and settings name what there is. */
  private static void check(Experiment whole) {
    for (Setting setting : whole.settings()) {
      String of = "arms of setting " + setting.name();
      setting.arms().forEach(name -> require(of, whole.arms(), Arm::label, name));
    }
    for (GoalSpec goal : whole.goals()) {
      String of = " of goal " + goal.id();
      require("setting" + of, whole.settings(), Setting::name, goal.setting());
      require("thanSetting" + of, whole.settings(), Setting::name, goal.thanSetting());
      require("arm" + of, whole.arms(), Arm::label, goal.arm());
      require("than" + of, whole.arms(), Arm::label, goal.than());
    }
  }

  /** Where in the file something is wrong, and what. */
  private static String fault(JsonMappingException e) {
    StringBuilder key = new StringBuilder();
    for (JsonMappingException.Reference at : e.getPath()) {
      key.append(
          at.getFieldName() == null
              ? "[" + at.getIndex() + "]"
              : (key.isEmpty() ? "" : ".") + at.getFieldName());
    }
    if (e instanceof UnrecognizedPropertyException unknown) {
      return key + " is no property here, but " + unknown.getKnownPropertyIds();
    }
    if (e instanceof InvalidTypeIdException type) {
      return key + ".class=" + type.getTypeId() + " is no workload";
    }
    if (e instanceof InvalidFormatException format) {
      Object[] constants = format.getTargetType().getEnumConstants();
      return key
          + "="
          + format.getValue()
          + (constants == null
              ? " is no number"
              : " is none of "
                  + Stream.of(constants).map(Object::toString).collect(Collectors.joining(", ")));
    }
    if (e.getOriginalMessage().startsWith("Cannot map `null`")) {
      return key + " is missing";
    }
    if (e.getCause() instanceof NullPointerException missing) {
      return key + "." + missing.getMessage() + " is missing";
    }
    String reason =
        e.getCause() instanceof IllegalArgumentException wrong
            ? wrong.getMessage()
            : e.getOriginalMessage();
    return key.isEmpty() ? String.valueOf(reason) : key + ": " + reason;
  }

  private static <T> List<T> only(
      String key, List<T> all, Function<T, String> label, List<String> wanted) {
    wanted.forEach(name -> require(key, all, label, name));
    return wanted.isEmpty()
        ? all
        : all.stream().filter(one -> wanted.contains(label.apply(one))).toList();
  }

  private static <T> void require(
      String key, List<T> all, Function<T, String> label, @Nullable String name) {
    List<String> labels = all.stream().map(label).toList();
    if (name != null && !labels.contains(name)) {
      throw new IllegalArgumentException(
          key + "=" + name + " is none of " + String.join(", ", labels) + REMEDY);
    }
  }

  private static String fields(ObjectNode node, int first) {
    List<String> names = new ArrayList<>();
    node.fieldNames().forEachRemaining(names::add);
    return String.join(", ", names.subList(first, names.size()));
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
