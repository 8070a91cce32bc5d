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

import java.io.IOException;
import java.io.InputStream;
import software.amazon.awssdk.core.sync.RequestBody;

/** Whether what a request uploads can be sent a second time. */
final class Bodies {
  private Bodies() {}

  /**
   * Whether it can. A body from a plain stream hands out the same stream again, read to its end:
   * the SDK would announce all bytes, send none, and wait.
   *
   * @param arguments of an operation; those that are no body do not matter
   */
  static boolean repeatable(Object[] arguments) {
    for (Object argument : arguments) {
      if (argument instanceof RequestBody body && !repeatable(body)) {
        return false;
      }
    }
    return true;
  }

  private static boolean repeatable(RequestBody body) {
    try (InputStream one = body.contentStreamProvider().newStream();
        InputStream other = body.contentStreamProvider().newStream()) {
      return one != other || one.markSupported();
    } catch (IOException | RuntimeException e) {
      return false;
    }
  }
}
