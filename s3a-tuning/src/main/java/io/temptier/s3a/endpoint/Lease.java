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
package io.temptier.s3a.endpoint;

import java.util.concurrent.atomic.AtomicBoolean;

/** One request under way on one gateway. Its end counts once; thread safe. */
final class Lease {
  private final GatewayGroup group;
  private final Gateway gateway;
  private final boolean wasOut;
  private final AtomicBoolean ended = new AtomicBoolean();

  /**
   * A request that begins.
   *
   * @param wasOut whether the gateway is tried although it is taken out
   */
  Lease(GatewayGroup group, Gateway gateway, boolean wasOut) {
    this.group = group;
    this.gateway = gateway;
    this.wasOut = wasOut;
  }

  /** Where it is sent. */
  Gateway gateway() {
    return gateway;
  }

  /** The gateway answered; the request goes on when it has a stream. */
  void answered() {
    group.answered(gateway, wasOut);
  }

  /** Nothing more comes or is wanted. */
  void end() {
    if (ended.compareAndSet(false, true)) {
      group.ended(gateway);
    }
  }

  /** It failed, with what that says. */
  Outcome failed(Throwable failure) {
    Outcome outcome = Outcome.of(failure);
    if (outcome.blames()) {
      group.failed(gateway, outcome, failure);
    } else if (outcome == Outcome.ANSWERED) {
      answered();
    }
    end();
    return outcome;
  }
}
