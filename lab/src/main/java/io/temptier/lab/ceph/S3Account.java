// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.ceph;

/**
 * A user of the gateways.
 *
 * @param user its name
 * @param accessKey what requests are signed as
 * @param secretKey what they are signed with
 */
public record S3Account(String user, String accessKey, String secretKey) {
  /** Without the secret. */
  @Override
  public String toString() {
    return user + " (" + accessKey + ")";
  }
}
