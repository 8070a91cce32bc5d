// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli;

import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Paths;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Mixin with the option {@code --json FILE}. */
public final class JsonFile {
  /** Loaded when JSON is made or read: {@code --help} is to be quick. */
  public static final class Json {
    public static final ObjectMapper MAPPER =
        // The values' fields, since what reads them is not named as a bean's.
        new ObjectMapper()
            .setVisibility(PropertyAccessor.FIELD, Visibility.ANY)
            .enable(SerializationFeature.INDENT_OUTPUT);

    private Json() {}

    /** An object without members, for the caller to fill. */
    public static ObjectNode object() {
      return MAPPER.createObjectNode();
    }
  }

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description =
          "Write the result as JSON; - writes it to standard output, in place of the text.")
  private @Nullable String file;

  /** Returns where text for people goes: standard output, or nowhere if the JSON goes there. */
  public PrintWriter textOf(Terminal terminal) {
    return "-".equals(file) ? new PrintWriter(new StringWriter()) : terminal.out();
  }

  /** Writes a record or a tree if JSON was asked for. A file appears whole or not at all. */
  public void write(Object result, Terminal terminal) {
    if (file == null) {
      return;
    }
    String text;
    try {
      text = Json.MAPPER.writeValueAsString(result);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a result can always be written", e);
    }
    if (file.equals("-")) {
      terminal.out().println(text);
    } else {
      Terminal.writeWhole(Paths.get(file), text + System.lineSeparator());
    }
  }
}
