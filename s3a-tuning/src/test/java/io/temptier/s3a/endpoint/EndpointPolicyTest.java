// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class EndpointPolicyTest {
  private static List<Gateway> gateways(int number) {
    List<Gateway> gateways = new ArrayList<>();
    for (int i = 0; i < number; i++) {
      gateways.add(new Gateway(i, URI.create("http://policy-test-" + i + ":8080")));
    }
    return gateways;
  }

  @Test
  void leastOutstandingTakesEachInTurnAmongEquals() {
    List<Gateway> gateways = gateways(3);
    int[] chosen = new int[3];
    for (int turn = -30; turn < 30; turn++) {
      chosen[EndpointPolicy.LEAST_OUTSTANDING.choose(gateways, "", turn).index]++;
    }
    assertEquals(List.of(20, 20, 20), List.of(chosen[0], chosen[1], chosen[2]));
  }

  @Test
  void leastOutstandingTakesTheIdleOneWhoseeverTurnItIs() {
    List<Gateway> gateways = gateways(3);
    gateways.get(0).begin();
    gateways.get(0).begin();
    gateways.get(2).begin();
    for (int turn = 0; turn < 3; turn++) {
      assertEquals(1, EndpointPolicy.LEAST_OUTSTANDING.choose(gateways, "", turn).index);
    }
    gateways.get(0).end();
    gateways.get(0).end();
    gateways.get(1).begin();
    assertEquals(0, EndpointPolicy.LEAST_OUTSTANDING.choose(gateways, "", 1).index);
  }

  @Test
  void rendezvousSpreadsKeysAndMovesOnlyThoseOfTheGatewayThatGoes() {
    List<Gateway> all = gateways(4);
    List<Gateway> without = all.subList(0, 3);
    int[] chosen = new int[4];
    for (int i = 0; i < 4000; i++) {
      String key = "warehouse/part-" + i + ".parquet";
      Gateway before = EndpointPolicy.RENDEZVOUS.choose(all, key, i);
      Gateway after = EndpointPolicy.RENDEZVOUS.choose(without, key, 2 * i);
      chosen[before.index]++;
      assertTrue(before == after || before.index == 3, key);
    }
    for (int count : chosen) {
      assertTrue(count > 850 && count < 1150, "1000 each, give or take: " + count);
    }
  }
}
