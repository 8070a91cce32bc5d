// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.doctor;

import com.google.auto.value.AutoValue;
import io.temptier.tier.lang.Immutable;
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
@AutoValue
public abstract class LocatedProperties {

  private static final String PROPERTY = "property";

  public abstract Path path();

  /** Its properties, in order, each as often as it is there. */
  public abstract List<Entry> entries();

  public static LocatedProperties of(Path path, List<Entry> entries) {
    entries = Immutable.copyOf(entries);
    return new AutoValue_LocatedProperties(path, entries);
  }

  /** A property. */
  @AutoValue
  public abstract static class Entry {
    public abstract String key();

    /** Its value before substitution, trimmed; null when it has none. */
    public abstract @Nullable String value();

    /** The line it begins on, from 1. */
    public abstract int line();

    public static Entry of(String key, @Nullable String value, int line) {
      return new AutoValue_LocatedProperties_Entry(key, value, line);
    }
  }

  /** The name without folders, such as {@code yarn-site.xml}. */
  public String name() {
    return String.valueOf(path().getFileName());
  }

  /** The properties of that name, in order. */
  public List<Entry> of(String key) {
    return entries().stream().filter(entry -> entry.key().equals(key)).collect(Immutable.toList());
  }

  /** The JDK's own, whose messages are the same on every node; on Java 8 that of the class path. */
  private static XMLInputFactory factory() {
    try {
      return (XMLInputFactory) XMLInputFactory.class.getMethod("newDefaultFactory").invoke(null);
    } catch (ReflectiveOperationException e) {
      return XMLInputFactory.newFactory();
    }
  }

  /** Reads a file; where that is no well-formed XML, the exception tells the line. */
  static LocatedProperties read(Path path) throws IOException, XMLStreamException {
    XMLInputFactory factory = factory();
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    factory.setProperty(XMLInputFactory.IS_COALESCING, true);
    try (InputStream in = Files.newInputStream(path)) {
      XMLStreamReader reader = factory.createXMLStreamReader(path.toString(), in);
      return LocatedProperties.of(path, entries(reader));
    }
  }

  private static List<Entry> entries(XMLStreamReader reader) throws XMLStreamException {
    List<Entry> entries = new ArrayList<>();
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
          entries.add(Entry.of(key, parts.get("value"), line));
        }
      }
    }
    return entries;
  }
}
