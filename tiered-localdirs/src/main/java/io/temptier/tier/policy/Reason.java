// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.policy;

/** Why a file went where it went, or why a tier refused it. The text is for operators. */
public enum Reason {
  /** The fastest tier took it. */
  FASTEST("the fastest tier had room"),
  /** The policy does not prefer fast tiers. */
  ROUND_ROBIN("it was this dir's turn"),
  /** Usable bytes, less the reserve and what was claimed, do not hold the file. */
  FULL("no dir has room above the reserve and the claims of others"),
  /** The dir's own cap does not hold the file. */
  CAP("the dir's cap is reached"),
  /** The file may be large, or an earlier attempt failed, and the tier has little room. */
  LARGE("the file may be large, and no dir has temptier.large-size of room"),
  /** The application has used up its share of the tier. */
  APP_SHARE("the application's share of the tier is used up"),
  /** The tier is as full as files of this kind or user may make it. */
  LIMIT("it is as full as files of this kind or user may make it (temptier.fill-limits)"),
  /** The file system is short of inodes. */
  INODES("the file system is short of inodes"),
  /** Every dir of the tier is set aside: it failed, or does not answer. */
  SET_ASIDE("every dir is set aside, after errors or as it does not answer"),
  /** Every dir of the tier that is in order answers slower than the tier below. */
  SLOW("its disks answer slower than those of the next tier"),
  /** Every dir of the tier that is in order is being drained by an operator. */
  DRAINING("its dirs are being emptied (temptier drain)"),
  /** Other writers claimed the room first. */
  RACED("other writers claimed the room first"),
  /** No tier had room above its reserve, and stock Hadoop would still have written here. */
  OVER_RESERVE("no tier had room above its reserve; written as stock Hadoop would");

  private final String text;

  Reason(String text) {
    this.text = text;
  }

  /** The reason in words. */
  public String text() {
    return text;
  }
}
