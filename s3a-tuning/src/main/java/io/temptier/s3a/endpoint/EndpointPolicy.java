// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.endpoint;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** How a request's gateway is chosen among those that may take it. */
public enum EndpointPolicy {
  /** The one with the fewest requests under way; among equals each in turn. */
  LEAST_OUTSTANDING {
    @Override
    Gateway choose(List<Gateway> candidates, String key, int turn) {
      List<Gateway> inTurn = new ArrayList<>(candidates);
      Collections.rotate(inTurn, -turn);
      return Collections.min(inTurn, Comparator.comparingInt(Gateway::outstanding));
    }
  },
  /**
   * The one with the highest hash of itself and the key: all processes agree, and when a gateway
   * goes only its own keys move.
   */
  RENDEZVOUS {
    @Override
    Gateway choose(List<Gateway> candidates, String key, int turn) {
      return Collections.max(candidates, Comparator.comparingLong(each -> weight(each, key)));
    }
  };

  private static final long FNV_BASIS = 0xcbf29ce484222325L;
  private static final long FNV_PRIME = 0x100000001b3L;

  /** Chooses for a request about {@code key}, without side effects; {@code turn} counts choices. */
  abstract Gateway choose(List<Gateway> candidates, String key, int turn);

  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The policy of that name; throws where there is none. */
  static EndpointPolicy parse(String label) {
    return Arrays.stream(values())
        .filter(policy -> policy.label().equals(label.trim().toLowerCase(Locale.ROOT)))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("there is no such policy"));
  }

  /** FNV-1a, and the finalizer of MurmurHash3, since the end of FNV-1a mixes too little. */
  private static long weight(Gateway gateway, String key) {
    String text = gateway.endpoint + "\n" + key;
    long hash = FNV_BASIS;
    for (int i = 0; i < text.length(); i++) {
      hash = (hash ^ text.charAt(i)) * FNV_PRIME;
    }
    hash = (hash ^ (hash >>> 33)) * 0xff51afd7ed558ccdL;
    hash = (hash ^ (hash >>> 33)) * 0xc4ceb9fe1a85ec53L;
    return hash ^ (hash >>> 33);
  }
}
