// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

final class SiteFileTest {
  @TempDir private Path dir;

  @Test
  void anXmlParserReadsBackEveryCharacter()
      throws IOException, ParserConfigurationException, SAXException {
    String awkward = "a<b> & \"c\" ÿ € 𝄞";
    Path file = dir.resolve("site.xml");
    SiteFile.write(file, Map.of("b.key", awkward, "a.key", "1"));
    NodeList values =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(file.toFile())
            .getElementsByTagName("value");
    assertEquals(2, values.getLength());
    assertEquals("1", values.item(0).getTextContent(), "in the order of the keys");
    assertEquals(awkward, values.item(1).getTextContent());
    assertEquals(-1, Files.readString(file).indexOf('ÿ'), "independent of any encoding");
  }
}
