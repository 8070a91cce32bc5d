// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.profile;

import io.temptier.tier.lang.Immutable;
import io.temptier.tier.lang.Strings;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Settings as a file of Hadoop's, with their reasons as descriptions. */
public final class SiteXml {
  private static final int WIDTH = 80;

  private static final String PAPER =
      "The paper, a document to its sources, is \"Unlock Big Data Analytics Efficiency with Compute"
          + " and Storage Disaggregation on Intel Platforms\" (2018); measurements are in"
          + " docs/s3a.md.";

  private final List<HadoopVersion> versions;
  private final Set<String> toEdit;

  /**
   * Tells the defaults of those versions, and of some properties that their value is an example.
   */
  SiteXml(List<HadoopVersion> versions, Set<String> toEdit) {
    this.versions = versions;
    this.toEdit = toEdit;
  }

  /** A profile as a file of its own that Hadoop can read, to be merged into core-site.xml. */
  public static String fragment(Profile profile) {
    return write(
        profile,
        Immutable.listOf(
            String.format(
                "S3A on Ceph's gateway for Hadoop %s, workload %s: %s. Merge it into core-site.xml,"
                    + " or give single properties to single jobs with -D.",
                HadoopVersion.join(profile.versions()),
                profile.workload(),
                profile.workload().meaning())),
        Immutable.setOf());
  }

  static String write(Profile profile, List<String> begin, Set<String> toEdit) {
    List<String> head = new ArrayList<>(begin);
    head.add(PAPER);
    head.add("");
    head.add("Upload buffers:");
    profile.plan().arithmetic().forEach(line -> head.add("- " + line));
    head.add("");
    head.add("Left out, and to know:");
    profile.remarks().forEach((key, text) -> head.add("- " + key + ": " + text));
    return new SiteXml(profile.versions(), toEdit).write(head, profile.settings());
  }

  /** The file, with lines at its top of which an empty one separates paragraphs. */
  String write(List<String> head, List<Setting> settings) {
    StringBuilder xml = new StringBuilder();
    xml.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    xml.append("<?xml-stylesheet type=\"text/xsl\" href=\"configuration.xsl\"?>\n<!--\n");
    for (String line : head) {
      // Two hyphens would end the comment.
      wrap(line.replace("--", "- "), "  ").forEach(l -> xml.append(l).append('\n'));
    }
    xml.append("-->\n<configuration>\n");
    settings.forEach(setting -> append(xml, setting));
    return xml.append("\n</configuration>\n").toString();
  }

  private void append(StringBuilder xml, Setting setting) {
    xml.append("\n  <property>\n    <name>").append(escape(setting.key())).append("</name>\n");
    xml.append("    <value>").append(escape(setting.value())).append("</value>\n");
    xml.append("    <description>\n");
    paragraph(xml, (toEdit.contains(setting.key()) ? "EDIT. " : "") + "Why: " + setting.why());
    paragraph(xml, "Costs: " + setting.cost());
    paragraph(xml, "Source: " + setting.sources() + ".");
    paragraph(
        xml,
        "Hadoop: " + HadoopVersion.join(like(setting.versions())) + ". " + defaults(setting.key()));
    xml.append("    </description>\n  </property>\n");
  }

  private static void paragraph(StringBuilder xml, String text) {
    wrap(escape(text), "      ").forEach(line -> xml.append(line).append('\n'));
  }

  private String defaults(String key) {
    Map<String, List<HadoopVersion>> byValue =
        versions.stream()
            .collect(
                Collectors.groupingBy(
                    version -> version.defaultOf(key).orElse("none"),
                    LinkedHashMap::new,
                    Collectors.toList()));
    if (byValue.size() == 1) {
      return "Default: " + byValue.keySet().iterator().next() + ".";
    }
    return byValue.entrySet().stream()
        .map(entry -> entry.getKey() + " in " + HadoopVersion.join(entry.getValue()))
        .collect(Collectors.joining("; ", "Default: ", "."));
  }

  /** Of some versions those that one file can serve beside these. */
  private List<HadoopVersion> like(List<HadoopVersion> some) {
    return some.stream()
        .filter(each -> versions.stream().anyMatch(own -> own.isOfSdk2() == each.isOfSdk2()))
        .collect(Immutable.toList());
  }

  private static String escape(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  /** Breaks text at its blanks into lines that begin with a prefix; words are never broken. */
  static List<String> wrap(String text, String prefix) {
    List<String> lines = new ArrayList<>();
    String line = prefix;
    for (String word : text.trim().split(" +", -1)) {
      if (line.length() > prefix.length() && line.length() + word.length() >= WIDTH) {
        lines.add(line);
        line = prefix;
      }
      line += (line.equals(prefix) ? "" : " ") + word;
    }
    lines.add(Strings.stripTrailing(line));
    return lines;
  }
}
