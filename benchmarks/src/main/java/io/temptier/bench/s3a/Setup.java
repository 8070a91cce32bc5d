// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.s3a;

import java.util.Map;

/**
 * One way to set S3A up.
 *
 * @param name of the arm
 * @param conf all that is set, the store's own properties included
 */
record Setup(String name, Map<String, String> conf) {
  Setup {
    conf = Map.copyOf(conf);
  }
}
