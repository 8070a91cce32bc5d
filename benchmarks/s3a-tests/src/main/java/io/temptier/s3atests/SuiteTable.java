// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3atests;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** Holds the reports of Hadoop's tests by stock's client and by ours against each other. */
public final class SuiteTable {
  /** What became of a test. */
  private enum TrialOutcome {
    PASSED,
    SKIPPED,
    FAILED
  }

  private SuiteTable() {}

  /**
   * Prints the table, and which tests ended in another way.
   *
   * @param args the folder that has the reports, in {@code stock} and {@code ours}; and the file
   *     that names the tests that fail with ours by design
   * @throws IllegalStateException when there are none, or another test fails only with ours
   */
  public static void main(String[] args)
      throws IOException, ParserConfigurationException, SAXException {
    Path folder = Path.of(args[0]);
    Map<String, TrialOutcome> stock = outcomes(folder.resolve("stock"));
    Map<String, TrialOutcome> ours = outcomes(folder.resolve("ours"));
    System.out.println("| | tests | passed | skipped | failed |\n|---|---|---|---|---|");
    System.out.println(row("stock, one gateway", stock) + "\n" + row("ours, three gateways", ours));
    Set<String> byDesign = Set.copyOf(Files.readAllLines(Path.of(args[1])));
    Set<String> failedOnlyWithOurs = new TreeSet<>();
    Set<String> all = new TreeSet<>(stock.keySet());
    all.addAll(ours.keySet());
    for (String test : all) {
      if (stock.get(test) != ours.get(test)) {
        System.out.println(test + ": stock " + stock.get(test) + ", ours " + ours.get(test));
        if (ours.get(test) != TrialOutcome.PASSED
            && stock.get(test) == TrialOutcome.PASSED
            && !byDesign.contains(test)) {
          failedOnlyWithOurs.add(test);
        }
      }
    }
    if (ours.isEmpty() || !failedOnlyWithOurs.isEmpty()) {
      throw new IllegalStateException(
          "of " + all.size() + " tests these pass only with stock: " + failedOnlyWithOurs);
    }
  }

  private static String row(String name, Map<String, TrialOutcome> outcomes) {
    StringBuilder row = new StringBuilder("| " + name + " | " + outcomes.size() + " |");
    for (TrialOutcome outcome : TrialOutcome.values()) {
      row.append(" ").append(outcomes.values().stream().filter(outcome::equals).count());
      row.append(" |");
    }
    return row.toString();
  }

  private static Map<String, TrialOutcome> outcomes(Path reports)
      throws IOException, ParserConfigurationException, SAXException {
    List<Path> files;
    try (Stream<Path> all = Files.list(reports)) {
      files = all.filter(file -> String.valueOf(file.getFileName()).endsWith(".xml")).toList();
    }
    Map<String, TrialOutcome> outcomes = new TreeMap<>();
    for (Path file : files) {
      NodeList tests =
          DocumentBuilderFactory.newInstance()
              .newDocumentBuilder()
              .parse(file.toFile())
              .getElementsByTagName("testcase");
      for (int i = 0; i < tests.getLength(); i++) {
        Element test = (Element) tests.item(i);
        String name = test.getAttribute("classname") + "." + test.getAttribute("name");
        outcomes.put(name, outcome(test));
      }
    }
    return outcomes;
  }

  private static TrialOutcome outcome(Element test) {
    boolean failed =
        test.getElementsByTagName("failure").getLength() > 0
            || test.getElementsByTagName("error").getLength() > 0;
    return failed
        ? TrialOutcome.FAILED
        : test.getElementsByTagName("skipped").getLength() > 0
            ? TrialOutcome.SKIPPED
            : TrialOutcome.PASSED;
  }
}
