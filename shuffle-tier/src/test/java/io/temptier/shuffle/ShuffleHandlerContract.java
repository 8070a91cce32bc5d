// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle;

import org.junit.jupiter.api.Nested;

/** All that a shuffle handler must do. A subclass names the handler. */
abstract class ShuffleHandlerContract {
  abstract HandlerUnderTest handler();

  @Nested
  class Fetching extends FetchContract {
    @Override
    HandlerUnderTest handler() {
      return ShuffleHandlerContract.this.handler();
    }
  }

  @Nested
  class Requests extends RequestContract {
    @Override
    HandlerUnderTest handler() {
      return ShuffleHandlerContract.this.handler();
    }
  }

  @Nested
  class BrokenOutputs extends BrokenOutputContract {
    @Override
    HandlerUnderTest handler() {
      return ShuffleHandlerContract.this.handler();
    }
  }

  @Nested
  class Traversal extends TraversalContract {
    @Override
    HandlerUnderTest handler() {
      return ShuffleHandlerContract.this.handler();
    }
  }

  @Nested
  class KeepingAlive extends KeepAliveContract {
    @Override
    HandlerUnderTest handler() {
      return ShuffleHandlerContract.this.handler();
    }
  }

  @Nested
  class ConnectionLimit extends ConnectionLimitContract {
    @Override
    HandlerUnderTest handler() {
      return ShuffleHandlerContract.this.handler();
    }
  }

  @Nested
  class HadoopsFetchers extends FetcherContract {
    @Override
    HandlerUnderTest handler() {
      return ShuffleHandlerContract.this.handler();
    }
  }

  @Nested
  class Tls extends TlsContract {
    @Override
    HandlerUnderTest handler() {
      return ShuffleHandlerContract.this.handler();
    }
  }

  @Nested
  class Recovery extends RecoveryContract {
    @Override
    HandlerUnderTest handler() {
      return ShuffleHandlerContract.this.handler();
    }
  }

  @Nested
  class Settings extends SettingsContract {
    @Override
    HandlerUnderTest handler() {
      return ShuffleHandlerContract.this.handler();
    }
  }

  @Nested
  class Clients extends ClientsContract {
    @Override
    HandlerUnderTest handler() {
      return ShuffleHandlerContract.this.handler();
    }
  }

  @Nested
  class Fuzzing extends FuzzContract {
    @Override
    HandlerUnderTest handler() {
      return ShuffleHandlerContract.this.handler();
    }
  }

  @Nested
  class Leaks extends LeakContract {
    @Override
    HandlerUnderTest handler() {
      return ShuffleHandlerContract.this.handler();
    }
  }
}
