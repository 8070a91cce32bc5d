// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.profile;

/** A plan for upload buffers that can run out of memory; the message says what to change. */
public final class UnsafePlanException extends Exception {
  UnsafePlanException(String message) {
    super(message);
  }
}
