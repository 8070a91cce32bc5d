/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.temptier.hadoop;

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
