/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.temptier.bench.simulate;

import io.temptier.cli.Table;
import io.temptier.tier.Sizes;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Policies side by side, for people. */
final class PolicyText {
  /** Headings of a table of policies. */
  static final List<String> HEADS =
      List.of(
          ">fast disk",
          "policy",
          ">hit share",
          ">jobs wholly on it",
          ">demoted",
          ">HDDs at work, h",
          ">by the first's",
          ">load, 95 %");

  /** What they mean. */
  static final String COLUMNS =
      "HDDs at work: hours, added up over all of them, as modelled, for temporary files. Load, 95"
          + " %: of 100 minutes of a node, 95 bring its HDDs no more work than so much of what they"
          + " can do.";

  private static final List<String> KIND_HEADS =
      List.of("kind", ">files", ">bytes", ">there for, min", ">HDD ms a MiB", ">and by the minute");

  private PolicyText() {}

  /** Prints the comparison. */
  static void print(PrintWriter out, List<PolicyResult> policies) {
    Table table = new Table(HEADS.toArray(String[]::new));
    rows(policies).forEach(row -> table.row(row.toArray(String[]::new)));
    table.lines("  ").forEach(out::println);
    out.println();
    out.println(COLUMNS);
    out.println();
    out.println(
        "What HDDs are spared by a MiB on the fast disk, and for each minute it lies there:");
    Table kinds = new Table(KIND_HEADS.toArray(String[]::new));
    for (KindUse use : policies.get(0).result().kinds()) {
      kinds.row(
          use.kind().name(),
          String.format(Locale.ROOT, "%,d", use.files()),
          Sizes.format(use.bytes()),
          number(use.minutes(), 2),
          number(use.millisOfAMib(), 0),
          number(use.millisOfAMibMinute(), 0));
    }
    kinds.lines("  ").forEach(out::println);
  }

  /** The cells of all policies, size by size. */
  static List<List<String>> rows(List<PolicyResult> policies) {
    List<List<String>> rows = new ArrayList<>();
    PolicyResult first = policies.get(0);
    for (int i = 0; i < first.result().sizes().size(); i++) {
      for (PolicyResult policy : policies) {
        SizeResult size = policy.result().sizes().get(i);
        rows.add(
            List.of(
                Sizes.format(size.fastBytes()),
                policy.name(),
                SimulateText.percent(size.hitShare()),
                SimulateText.percent(size.whollyFastShare()),
                Sizes.format(size.demotedBytes()),
                number(size.hdds().seconds() / 3600, 2),
                number(policy.workBy(first, i), 2),
                number(size.hdds().p95(), 2)));
      }
    }
    return rows;
  }

  /** Nothing is by nothing. */
  private static String number(double value, int digits) {
    return Double.isInfinite(value) ? "-" : String.format(Locale.ROOT, "%,." + digits + "f", value);
  }
}
