// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.profile;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Settings as a file of Hadoop's, with their reasons as descriptions. */
final class SiteXml {
  private static final int WIDTH = 100;

  private final List<HadoopVersion> versions;
  private final Set<String> toEdit;

  /**
   * A writer.
   *
   * @param versions whose defaults are told
   * @param toEdit properties whose value is an example
   */
  SiteXml(List<HadoopVersion> versions, Set<String> toEdit) {
    this.versions = versions;
    this.toEdit = toEdit;
  }

  /**
   * The file.
   *
   * @param head lines of the comment at the top; an empty one separates paragraphs
   */
  String write(List<String> head, List<Setting> settings) {
    StringBuilder xml = new StringBuilder();
    xml.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    xml.append("<?xml-stylesheet type=\"text/xsl\" href=\"configuration.xsl\"?>\n<!--\n");
    for (String line : head) {
      // Two hyphens would end the comment.
      TextLines.wrap(line.replace("--", "- "), "  ", WIDTH)
          .forEach(l -> xml.append(l).append('\n'));
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
    paragraph(xml, "Source: " + sources(setting) + ".");
    paragraph(xml, "Hadoop: " + join(setting.versions()) + ". " + defaults(setting.key()));
    xml.append("    </description>\n  </property>\n");
  }

  private static void paragraph(StringBuilder xml, String text) {
    TextLines.wrap(escape(text), "      ", WIDTH).forEach(line -> xml.append(line).append('\n'));
  }

  private static String sources(Setting setting) {
    return setting.sources().stream().map(Source::toString).collect(Collectors.joining("; "));
  }

  private String defaults(String key) {
    Map<String, List<HadoopVersion>> byValue =
        versions.stream()
            .collect(
                Collectors.groupingBy(
                    version -> version.keys().defaultOf(key).orElse("none"),
                    LinkedHashMap::new,
                    Collectors.toList()));
    if (byValue.size() == 1) {
      return "Default: " + byValue.keySet().iterator().next() + ".";
    }
    return byValue.entrySet().stream()
        .map(entry -> entry.getKey() + " in " + join(entry.getValue()))
        .collect(Collectors.joining("; ", "Default: ", "."));
  }

  private static String join(List<HadoopVersion> versions) {
    return versions.stream().map(HadoopVersion::number).collect(Collectors.joining(", "));
  }

  private static String escape(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
