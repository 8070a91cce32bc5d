// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.doctor;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/**
 * The properties of one site file, with the lines they stand on, which Hadoop's {@code
 * Configuration} forgets. Includes are not followed: what they bring has no line here.
 */
public final class LocatedProperties {
  private static final String PROPERTY = "property";

  public final Path path;

  /** Entries in their order, repeated ones included. */
  final List<Entry> entries = new ArrayList<>();

  private LocatedProperties(Path path) {
    this.path = path;
  }

  static final class Entry {
    final String key;

    /** Value before substitution, trimmed; null when there is none. */
    final @Nullable String value;

    /** The line it begins on, from 1. */
    final int line;

    Entry(String key, @Nullable String value, int line) {
      this.key = key;
      this.value = value;
      this.line = line;
    }
  }

  /** The name without folders, such as {@code yarn-site.xml}. */
  public String name() {
    return String.valueOf(path.getFileName());
  }

  public boolean has(String key) {
    return entries.stream().anyMatch(entry -> entry.key.equals(key));
  }

  /** Reads a file; where that is no well-formed XML, the exception tells the line. */
  static LocatedProperties read(Path path) throws IOException, XMLStreamException {
    // The class path's parser, which Hadoop uses, too.
    XMLInputFactory factory = XMLInputFactory.newFactory();
    factory.setProperty(XMLInputFactory.IS_COALESCING, true);
    LocatedProperties properties = new LocatedProperties(path);
    try (InputStream in = Files.newInputStream(path)) {
      properties.read(factory.createXMLStreamReader(path.toString(), in));
    }
    return properties;
  }

  private void read(XMLStreamReader reader) throws XMLStreamException {
    Map<String, String> parts = new HashMap<>();
    StringBuilder text = new StringBuilder();
    int line = 0;
    while (reader.hasNext()) {
      int event = reader.next();
      if (event == XMLStreamConstants.CHARACTERS) {
        text.append(reader.getText());
      } else if (event == XMLStreamConstants.START_ELEMENT) {
        text.setLength(0);
        if (reader.getLocalName().equals(PROPERTY)) {
          line = reader.getLocation().getLineNumber();
          parts.clear();
          // Hadoop takes attributes of the property as well as elements in it.
          for (int i = 0; i < reader.getAttributeCount(); i++) {
            parts.put(reader.getAttributeLocalName(i), reader.getAttributeValue(i));
          }
        }
      } else if (event == XMLStreamConstants.END_ELEMENT) {
        String key = parts.get("name");
        if (!reader.getLocalName().equals(PROPERTY)) {
          parts.put(reader.getLocalName(), text.toString().trim());
        } else if (key != null) {
          entries.add(new Entry(key, parts.get("value"), line));
        }
      }
    }
  }
}
