// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.profile;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The versions of Hadoop whose S3A was read and tried. */
public enum HadoopVersion {
  /** Reads with the classic stream unless told otherwise. */
  V3_4_2("3.4.2"),
  /** Reads with the analytics stream unless told otherwise. */
  V3_4_3("3.4.3"),
  /** As 3.4.3; needs Java 17. */
  V3_5_0("3.5.0");

  /** All of them, oldest first. */
  public static final List<HadoopVersion> ALL = List.of(values());

  private final String number;
  private final HadoopKeys keys;

  HadoopVersion(String number) {
    this.number = number;
    this.keys = HadoopKeys.read(number);
  }

  /** The version of that number, if it is known. */
  public static Optional<HadoopVersion> of(String number) {
    return ALL.stream().filter(version -> version.number.equals(number.trim())).findFirst();
  }

  /** Their numbers, for messages. */
  public static String known() {
    return Arrays.stream(values()).map(HadoopVersion::number).collect(Collectors.joining(", "));
  }

  /** The number, such as {@code 3.4.2}. */
  public String number() {
    return number;
  }

  /** The properties it reads. */
  public HadoopKeys keys() {
    return keys;
  }

  @Override
  public String toString() {
    return number;
  }
}
