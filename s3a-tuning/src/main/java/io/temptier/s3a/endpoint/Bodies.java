// SPDX-License-Identifier: Apache-2.0
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
