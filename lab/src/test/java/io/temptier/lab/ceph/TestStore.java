// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.ceph;

import java.io.IOException;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;

/** The store of a test class, up before its first test and gone after its last. */
interface TestStore extends BeforeAllCallback, AfterAllCallback {
  /** Where it can be reached. */
  List<URI> gateways();

  /** Who owns its buckets. */
  S3Account owner() throws IOException;

  /**
   * Makes a bucket.
   *
   * @param acl who else may do what, such as {@code private} or {@code public-read}
   */
  default void makeBucket(String bucket, String acl) throws IOException {
    NewBucket.make(gateways().get(0), owner(), bucket, acl);
  }
}
