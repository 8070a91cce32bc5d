// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.experiment;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.temptier.bench.experiment.Figure.Sample;
import io.temptier.bench.report.DataTable;
import io.temptier.bench.report.Figures;
import io.temptier.bench.report.Page;
import io.temptier.bench.report.Page.Badge;
import io.temptier.cli.Table;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A goal as an experiment's file has it.
 *
 * @param goal in words
 * @param setting the first one unless it is said. Of settings with several Hadoops the goal is held
 *     against each
 * @param arm TempTier unless another is said
 * @param figure seconds unless another is said
 * @param unit of what is measured; {@code x} unless it is said
 * @param allCount whether one trial that does not count spoils it
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record GoalSpec(
    String id,
    String goal,
    Measure measure,
    @Nullable String setting,
    @Nullable String arm,
    @Nullable String figure,
    @Nullable String thanSetting,
    @Nullable String than,
    @Nullable Double atMost,
    @Nullable Double atLeast,
    @Nullable String unit,
    boolean allCount) {
  private static final String OURS = "temptier";

  public GoalSpec {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(goal, "goal");
    Objects.requireNonNull(measure, "measure");
  }

  /** What a goal is about. */
  public enum Measure {
    /** The arm's median by that of another. */
    RATIO,
    /** The median of the rounds' ratios: see {@link ArmResult#roundRatio}. */
    ROUNDS,
    /** The same as {@link #RATIO}; met if the arm's median is at most the other's slowest round. */
    SLOWEST,
    MEDIAN,
    /** The slowest median of all settings by the fastest. */
    SPREAD,
    /** Failed tasks of the arms with TempTier, whose output must all be right. */
    FAILURES
  }

  /** What came of it; nothing where its setting was not to be measured. */
  Stream<Goal> of(ExperimentResult result) {
    String wanted = Objects.requireNonNullElse(setting, result.setting());
    List<String> settings = result.plan().settings();
    if (settings.contains(wanted)) {
      return Stream.of(in(result, wanted, ""));
    }
    String several = wanted + Setting.ON_HADOOP;
    return settings.stream()
        .filter(one -> one.startsWith(several))
        .map(one -> in(result, one, one.substring(several.length())));
  }

  private Goal in(ExperimentResult result, String in, String version) {
    String name = Objects.requireNonNullElse(figure, Figure.SECONDS.name());
    String one = Objects.requireNonNullElse(arm, OURS);
    String other = Objects.requireNonNullElse(than, one);
    Optional<ArmResult> ours = result.arm(in, one);
    Sample own = figure(ours, name);
    Sample theirs = figure(result.arm(in, other), name);
    double value =
        switch (measure) {
          case RATIO, SLOWEST ->
              theirs.median() == 0 || (allCount && !result.allCount())
                  ? Double.NaN
                  : own.median() / theirs.median();
          case ROUNDS ->
              result
                  .arm(Objects.requireNonNullElse(thanSetting, in), other)
                  .flatMap(than -> ours.map(arm -> arm.roundRatio(than, name)))
                  .orElse(Double.NaN);
          case MEDIAN -> own.median();
          case SPREAD -> result.spread(one);
          case FAILURES -> result.failedTasks();
        };
    boolean met =
        switch (measure) {
          case FAILURES -> value == 0 && result.oursValidated();
          case SLOWEST -> own.median() <= theirs.max();
          default -> (atMost == null || value <= atMost) && (atLeast == null || value >= atLeast);
        };
    String words = version.isEmpty() ? goal : version + ", " + goal;
    String text = measure == Measure.FAILURES ? "tasks" : Objects.requireNonNullElse(unit, "x");
    return Goal.of(version.isEmpty() ? id : id + "-" + version, words, text, value, met);
  }

  private static Sample figure(Optional<ArmResult> arm, String name) {
    return arm.map(one -> one.figure(name)).orElse(new Sample(List.of()));
  }

  /**
   * What came of one. What was not measured is neither met nor missed.
   *
   * @param unit of the figure: {@code x} for a ratio, {@code ms}, or what is counted
   * @param measured the figure that the goal is about, or null when it was not measured
   * @param met null when it was not measured
   */
  public record Goal(
      String id, String goal, String unit, @Nullable Double measured, @Nullable Boolean met) {
    static Goal of(String id, String goal, String unit, double measured, boolean met) {
      return Double.isNaN(measured)
          ? new Goal(id, goal, unit, null, null)
          : new Goal(id, goal, unit, Figures.round(measured), met);
    }

    /** The figure for people, with its unit; what is counted has no digits after the point. */
    static String text(double figure, String unit) {
      boolean counted = !unit.equals("x") && figure == Math.rint(figure);
      return (counted ? Figures.text(figure, 0) : Figures.text(figure)) + " " + unit;
    }

    static Badge badge(List<Goal> goals, List<String> doubts) {
      List<Goal> measured = goals.stream().filter(goal -> goal.measured() != null).toList();
      long met = measured.stream().filter(goal -> Boolean.TRUE.equals(goal.met())).count();
      return new Badge(
          met + " of " + measured.size() + " goals met", met == measured.size(), doubts);
    }

    static DataTable<Goal> table(List<Goal> goals) {
      Table<Goal> columns =
          new Table<Goal>()
              .add("Goal", Goal::goal)
              .add(">Measured", one -> one.measured == null ? "–" : text(one.measured, one.unit))
              .add("", Goal::verdict);
      return new DataTable<>(columns, goals, "There are none.");
    }

    private String verdict() {
      return met == null ? "not measured" : met ? Page.GOOD + "met" : Page.BAD + "missed";
    }
  }
}
