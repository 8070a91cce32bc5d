// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.node;

/**
 * TempTier's report of this NodeManager: {@code Hadoop:service=NodeManager,name=TempTierInfo}, as
 * {@code /jmx} shows it. Those that return an array or an object are JSON texts. What the numbers
 * mean is in {@code docs/metrics.md}; unlike the Metrics2 beans, whose values Hadoop caches for
 * some ten seconds, these are at most about a second old, or five while no application is here.
 *
 * <p>{@code /jmx} may be open to everybody, so nothing here names a file of a user.
 */
public interface TempTierInfoMXBean {
  /** {@code ACTIVE} where TempTier places the NodeManager's files, else {@code STOCK}. */
  String getMode();

  /**
   * Returns the cause of the mode in one word: {@code CONFIGURED}, {@code SWITCHED_OFF}, {@code
   * CONFIG_ERROR}, {@code HADOOP_UNKNOWN} or {@code START_FAILED}.
   */
  String getModeCause();

  /** Explains the cause in sentences, and in stock mode what to do about it. */
  String getModeReason();

  /** The version of TempTier that runs in the NodeManager, such as {@code 0.1.0}. */
  String getVersion();

  /** Eight hexadecimal digits: nodes that show the same are configured alike. */
  String getFingerprint();

  /**
   * The knobs, as resolved. The marks of demotion are as configured: a default is lowered where
   * files would spill first.
   *
   * @return object of unknownSizeBytes, largeSizeBytes, fillLimits, sparkLinks, shiftWhenSlow,
   *     accept, demotionEnabled, demotionBytesPerSecond, demotionColdAfterMillis, demotionHigh,
   *     demotionLow, shuffleMemoryBytes, shuffleLaneDepth; empty in stock mode
   */
  String getSettings();

  /**
   * Returns the findings in the configuration at start.
   *
   * @return array of severity, key, value, origin, consequence, remedy
   */
  String getFindings();

  /** An array of the tiers, fastest first: medium and what {@code TempTier-<MEDIUM>} has. */
  String getTiers();

  /** An object of what the {@code TempTier} bean has. */
  String getNode();

  /**
   * Each dir as it is now. A lost dir's disk is not mounted, and the text says what to do; of
   * claims that were deleted there is an object for each user who went beyond the bounds.
   *
   * @return array of medium, path, capBytes or null, origin (who says the medium), reserve,
   *     readable and, if so, capacityBytes, freeBytes, reserveBytes, claimedBytes, claims,
   *     claimsIgnored, headroomBytes, totalInodes, freeInodes, draining, failures; and of all dirs
   *     slow, hung, lost or null, trouble or null (why it takes no files), foldersNotListed,
   *     claimsDeleted (uid, user, entries, bytes, lastMillis)
   */
  String getDirs();
}
