// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.profile;

import io.temptier.tier.lang.Immutable;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Settings as a file of Hadoop's, with their reasons as descriptions. */
public final class SiteXml {
  private static final int WIDTH = 80;

  private static final String PAPER =
      "The paper, a document to its sources, is \"Unlock Big Data Analytics Efficiency with Compute"
          + " and Storage Disaggregation on Intel Platforms\" (2018); measurements are in"
          + " docs/s3a.md.";

  private SiteXml() {}

  /** A profile as a file of its own that Hadoop can read, to be merged into core-site.xml. */
  public static String fragment(Profile profile) {
    return write(
        profile,
        Immutable.listOf(
            String.format(
                "S3A on Ceph's gateway for Hadoop %s, workload %s: %s. Merge it into core-site.xml,"
                    + " or give single properties to single jobs with -D.",
                profile.version(), profile.workload(), profile.workload().meaning())),
        Immutable.setOf());
  }

  static String write(Profile profile, List<String> begin, Set<String> toEdit) {
    List<String> head = new ArrayList<>(begin);
    head.add(PAPER);
    head.add("");
    head.add("Upload buffers (docs/s3a.md, Uploads): " + profile.plan().need() + " at most.");
    head.add("");
    head.add("Left out, and to know:");
    profile.remarks().forEach((key, text) -> head.add("- " + key + ": " + text));
    return write(profile.version(), head, profile.settings(), toEdit);
  }

  /**
   * The file, with the defaults of that Hadoop.
   *
   * @param head lines at its top, of which an empty one separates paragraphs
   * @param toEdit properties whose value is an example
   */
  static String write(
      HadoopVersion version, List<String> head, List<S3aSetting> settings, Set<String> toEdit) {
    StringBuilder xml = new StringBuilder();
    xml.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    xml.append("<?xml-stylesheet type=\"text/xsl\" href=\"configuration.xsl\"?>\n<!--\n");
    for (String line : head) {
      // Two hyphens would end the comment.
      wrap(line.replace("--", "- "), "  ").forEach(l -> xml.append(l).append('\n'));
    }
    xml.append("-->\n<configuration>\n");
    for (S3aSetting setting : settings) {
      String key = setting.key();
      xml.append("\n  <property>\n    <name>").append(escape(key)).append("</name>\n");
      xml.append("    <value>").append(escape(setting.value())).append("</value>\n");
      xml.append("    <description>\n");
      paragraph(xml, (toEdit.contains(key) ? "EDIT. " : "") + "Why: " + setting.why());
      paragraph(xml, "Costs: " + setting.cost());
      paragraph(xml, "Source: " + setting.sources() + ".");
      String otherwise = version.defaultOf(key).orElse("none");
      paragraph(xml, "Default of Hadoop " + version + ": " + otherwise + ".");
      xml.append("    </description>\n  </property>\n");
    }
    return xml.append("\n</configuration>\n").toString();
  }

  private static void paragraph(StringBuilder xml, String text) {
    wrap(escape(text), "      ").forEach(line -> xml.append(line).append('\n'));
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
    lines.add(line.replaceFirst("\\s+$", ""));
    return lines;
  }
}
