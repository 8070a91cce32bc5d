// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.policy;

/** Reason why a file went where it went, or why a tier refused it. The text is for operators. */
public enum Reason {
  FASTEST("the fastest tier had room"),
  FULL("no dir has room above the reserve and the claims of others"),
  CAP("the dir's cap is reached"),
  LARGE("the file may be large, and no dir has temptier.large-size of room"),
  LIMIT("it is as full as files of this kind or user may make it (temptier.fill-limits)"),
  INODES("the file system is short of inodes"),
  SET_ASIDE("every dir is set aside, after errors or as it does not answer"),
  SLOW("its disks answer slower than those of the next tier"),
  DRAINING("its dirs are being emptied (temptier drain)"),
  RACED("other writers claimed the room first"),
  OVER_RESERVE("no tier had room above its reserve; written as stock Hadoop would");

  private final String text;

  Reason(String text) {
    this.text = text;
  }

  public String text() {
    return text;
  }
}
