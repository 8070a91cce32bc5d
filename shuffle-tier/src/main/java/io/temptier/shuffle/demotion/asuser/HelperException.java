// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion.asuser;

import java.io.IOException;

/** A helper is gone, late, or says nonsense. Its user may have brought that about. */
public final class HelperException extends IOException {
  private static final long serialVersionUID = 1;

  public HelperException(String why) {
    super(why);
  }

  HelperException(String why, Throwable cause) {
    super(why, cause);
  }
}
