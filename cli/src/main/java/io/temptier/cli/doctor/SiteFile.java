// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.doctor;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/**
 * The properties of one file, with the lines they stand on, which Hadoop's {@code Configuration}
 * forgets. Includes are not followed: what they bring has no line here.
 *
 * @param path the file
 * @param entries its properties, in order, each as often as it is there
 */
public record SiteFile(Path path, List<Entry> entries) {
  /** Copies the list. */
  public SiteFile {
    entries = List.copyOf(entries);
  }

  /**
   * A property.
   *
   * @param key its name
   * @param value its value before substitution, trimmed; null when it has none
   * @param line the line it begins on, from 1
   * @param isFinal whether files read later must not override it
   */
  public record Entry(String key, @Nullable String value, int line, boolean isFinal) {}

  /** The name without folders, such as {@code yarn-site.xml}. */
  public String name() {
    return String.valueOf(path.getFileName());
  }

  /** The properties of that name, in order. */
  public List<Entry> of(String key) {
    return entries.stream().filter(entry -> entry.key().equals(key)).toList();
  }

  /**
   * Reads a file.
   *
   * @throws IOException when it cannot be read
   * @throws XMLStreamException when it is no well-formed XML; tells the line
   */
  static SiteFile read(Path path) throws IOException, XMLStreamException {
    XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    factory.setProperty(XMLInputFactory.IS_COALESCING, true);
    try (InputStream in = Files.newInputStream(path)) {
      XMLStreamReader reader = factory.createXMLStreamReader(path.toString(), in);
      return new SiteFile(path, entries(reader));
    }
  }

  private static List<Entry> entries(XMLStreamReader reader) throws XMLStreamException {
    List<Entry> entries = new ArrayList<>();
    while (reader.hasNext()) {
      boolean begins = reader.next() == XMLStreamConstants.START_ELEMENT;
      if (begins && reader.getLocalName().equals("property")) {
        Entry entry = property(reader);
        if (entry != null) {
          entries.add(entry);
        }
      }
    }
    return entries;
  }

  /** Hadoop takes attributes of the property as well as elements in it. */
  private static @Nullable Entry property(XMLStreamReader reader) throws XMLStreamException {
    int line = reader.getLocation().getLineNumber();
    String key = reader.getAttributeValue(null, "name");
    String value = reader.getAttributeValue(null, "value");
    boolean isFinal = "true".equals(reader.getAttributeValue(null, "final"));
    String element = "";
    StringBuilder text = new StringBuilder();
    while (reader.hasNext()) {
      int event = reader.next();
      if (event == XMLStreamConstants.START_ELEMENT) {
        element = reader.getLocalName();
        text.setLength(0);
      } else if (event == XMLStreamConstants.CHARACTERS) {
        text.append(reader.getText());
      } else if (event == XMLStreamConstants.END_ELEMENT) {
        if (reader.getLocalName().equals("property")) {
          break;
        }
        switch (element) {
          case "name" -> key = text.toString().trim();
          case "value" -> value = text.toString().trim();
          case "final" -> isFinal = text.toString().trim().equals("true");
          default -> {}
        }
        element = "";
      }
    }
    return key == null ? null : new Entry(key, value, line, isFinal);
  }
}
