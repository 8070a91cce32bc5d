// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.ceph;

/** A user of the gateways. */
public record S3Account(String user, String accessKey, String secretKey) {
  @Override
  public String toString() {
    return user + " (" + accessKey + ")";
  }
}
