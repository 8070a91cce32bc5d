// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.history;

import io.temptier.cli.Plural;
import io.temptier.cli.Table;
import io.temptier.cli.report.Page;
import io.temptier.cli.report.Page.Badge;
import io.temptier.cli.status.ClusterStatus;
import io.temptier.cli.status.NodeStatus;
import io.temptier.cli.status.TierSum;
import io.temptier.cli.status.Trouble;
import io.temptier.tier.BuildVersion;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.text.Sizes;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A node or a cluster on a page: its past, and how it is now. */
final class HistoryPage {
  private static final int MOST_NODES = 30;

  private final HistoryData past;
  private final List<ApplicationHistory> all;
  private final List<ApplicationHistory> top;
  private final @Nullable ClusterStatus now;
  private final Optional<ApplicationHistory> sum;

  /**
   * What the page is about.
   *
   * @param all applications of the time that was asked for
   * @param top those that are shown one by one
   * @param now how the nodes are; null where only their past was read
   */
  HistoryPage(
      HistoryData past,
      List<ApplicationHistory> all,
      List<ApplicationHistory> top,
      @Nullable ClusterStatus now) {
    this.past = past;
    this.all = all;
    this.top = top;
    this.now = now;
    this.sum = all.stream().reduce(ApplicationHistory::plus);
  }

  /** The page, which names the command that makes it. */
  Page page(String command) {
    String title = "TempTier " + (now == null ? "on this node" : "at " + past.source());
    Page page = new Page(title);
    page.head(title, badge(), lead());
    if (!past.silent().isEmpty()) {
      page.note(
          Plural.of(past.silent().size(), "node")
              + " did not tell of their past and are missing here, such as "
              + past.silent().entrySet().iterator().next());
    }
    if (!past.unreadableText().isEmpty()) {
      page.note("More was written down than this user may read." + past.unreadableText());
    }
    fill(page);
    refused(page);
    if (now != null) {
      nodes(page, now);
    }
    page.section(
        "The applications that spilled most",
        all.size() > top.size()
            ? top.size() + " of " + all.size() + ". Spilled: bytes that a faster tier refused."
            : "Spilled: bytes that a faster tier refused.",
        top.isEmpty() ? "" : applications());
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("command", command);
    facts.put("source", past.source());
    facts.put("date", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
    facts.put("TempTier", BuildVersion.get());
    return page.facts(facts);
  }

  private String applications() {
    List<List<String>> cells = HistoryText.columns(top, UnaryOperator.identity()).cells(top);
    List<String> heads = new ArrayList<>(cells.get(0));
    int from = heads.indexOf("from");
    heads.set(from, ">from, UTC");
    List<List<String>> rows = new ArrayList<>();
    for (List<String> each : cells.subList(1, cells.size())) {
      List<String> row = new ArrayList<>(each);
      // As the charts have it: 01-31 22:05.
      row.set(from, minute(row.get(from)).substring("2026-".length()));
      rows.add(row);
    }
    return Page.table(heads, rows);
  }

  /** 2026-01-31 22:05, of a time with its seconds. */
  private static String minute(String time) {
    return time.substring(0, "2026-01-31T22:05".length()).replace('T', ' ');
  }

  private Badge badge() {
    if (now == null) {
      long spilled = sum.map(ApplicationHistory::bytesSpilled).orElse(0L);
      return Badge.of(Sizes.format(spilled) + " spilled", spilled == 0, Immutable.listOf());
    }
    List<NodeStatus> nodes = now.nodes();
    long serious = nodes.stream().filter(node -> node.trouble().serious()).count();
    long rest = nodes.stream().filter(node -> node.trouble() != Trouble.FINE).count() - serious;
    if (nodes.size() == 1) {
      NodeStatus node = nodes.get(0);
      return Badge.of(
          node.trouble().label(),
          serious == 0,
          rest == 0 ? Immutable.listOf() : Immutable.listOf(node.what()));
    }
    return Badge.of(
        serious + " of " + nodes.size() + " nodes in trouble",
        serious == 0,
        serious > 0 || rest == 0 ? Immutable.listOf() : Immutable.listOf(rest + " to look into"));
  }

  private String lead() {
    if (!sum.isPresent()) {
      return "No application of that time is written down.";
    }
    ApplicationHistory of = sum.get();
    return String.format(
        "%s wrote %s of temporary data from %s to %s UTC. %s of it a faster tier refused, and %s"
            + " was moved down later. %s of %s failed.",
        Plural.of(all.size(), "application"),
        Sizes.format(of.bytes()),
        minute(HistoryText.time(of.fromMillis())),
        minute(HistoryText.time(of.toMillis())),
        percent(share(of.bytesSpilled(), of.bytes())),
        Sizes.format(of.number("bytesDemoted")),
        of.number("containersFailed"),
        Plural.of(of.number("containers"), "container"));
  }

  private void fill(Page page) {
    String heading = "How full the tiers were";
    if (past.fill().isEmpty()) {
      page.section(
          heading, "Nothing was written down of that time: the NodeManagers were older.", "");
      return;
    }
    FillTimeline time = new FillTimeline(past.fill());
    page.section(
        heading,
        "Of their whole file systems, or of caps where they are smaller; other users of the disks"
            + " count. Gaps: no NodeManager wrote.",
        time.used().markup() + time.written().markup() + time.spilled().markup());
  }

  private void refused(Page page) {
    List<List<String>> rows = new ArrayList<>();
    for (ApplicationHistory.Sum one :
        sum.map(ApplicationHistory::refusals).orElse(Immutable.listOf())) {
      rows.add(
          Immutable.listOf(
              one.medium(),
              HistoryText.inWords(one.reason()),
              one.files() + "",
              Sizes.format(one.bytes())));
    }
    String heading = "Why a faster tier refused files";
    if (rows.isEmpty()) {
      page.section(heading, "None was refused.", "");
      return;
    }
    page.section(
        heading,
        "A file that two tiers refused counts for both.",
        Page.table("tier|reason|>files|>bytes", rows));
  }

  private static void nodes(Page page, ClusterStatus now) {
    Table<NodeStatus> columns =
        new Table<NodeStatus>().add("node", NodeStatus::node).add("state", HistoryPage::state);
    for (TierSum tier : now.tiers()) {
      columns.add(
          ">" + tier.medium() + " used",
          node -> node.tier(tier.medium()).map(one -> percent(one.fill())).orElse("-"));
    }
    columns.bytes("spilled", NodeStatus::bytesSpilledDown);
    columns.add("what", HistoryPage::what);
    List<NodeStatus> shown = now.nodes().stream().limit(MOST_NODES).collect(Immutable.toList());
    page.section(
        now.nodes().size() == 1 ? "The node now" : "The nodes now",
        (shown.size() < now.nodes().size()
                ? shown.size() + " of " + now.nodes().size() + ", those in trouble first. "
                : "")
            + "Spilled, and errors: since the NodeManager's start.",
        Page.table(columns.cells(shown)));
  }

  private static String state(NodeStatus node) {
    String label = node.trouble().label();
    return node.trouble().serious()
        ? Page.BAD + label
        : node.trouble() == Trouble.FINE ? Page.GOOD + label : label;
  }

  private static String what(NodeStatus node) {
    return Stream.concat(Stream.of(node.what()), node.details().stream())
        .filter(text -> !text.isEmpty())
        .collect(Collectors.joining("; "));
  }

  private static double share(long part, long whole) {
    return whole <= 0 ? 0 : (double) part / whole;
  }

  private static String percent(double share) {
    // No line breaks between the two.
    return Math.round(100 * share) + "\u00a0%";
  }
}
