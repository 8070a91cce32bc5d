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
