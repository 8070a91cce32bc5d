// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.text;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JsonTest {
  @Test
  void writesWhatIsMeant() {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("text", "a\"b\\c\n\u0001ü");
    object.put("number", Long.MIN_VALUE);
    object.put("share", 0.5);
    object.put("no number", Double.NaN);
    object.put("flag", true);
    object.put("nothing", null);
    object.put("list", Arrays.asList(1, "x", List.of(), Map.of()));
    object.put("other", Thread.State.NEW);
    assertEquals(
        "{\"text\":\"a\\\"b\\\\c\\u000a\\u0001ü\",\"number\":-9223372036854775808,\"share\":0.5,"
            + "\"no number\":null,\"flag\":true,\"nothing\":null,\"list\":[1,\"x\",[],{}],"
            + "\"other\":\"NEW\"}",
        Json.of(object));
  }

  @Test
  void halfASurrogatePairStaysValid() {
    assertEquals("\"\\ud83d\"", Json.of("\ud83d"));
  }
}
