// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle;

import org.junit.jupiter.api.Nested;

/** All that a shuffle handler must do. A subclass names the handler. */
abstract class ShuffleHandlerContract {
  @Nested
  class Fetching extends FetchContract {}

  @Nested
  class Requests extends RequestContract {}

  @Nested
  class BrokenOutputs extends BrokenOutputContract {}

  @Nested
  class KeepingAlive extends KeepAliveContract {}

  @Nested
  class Tls extends TlsContract {}

  @Nested
  class Settings extends SettingsContract {}
}
