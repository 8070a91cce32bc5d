// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.doctor;

import java.util.Locale;

/** The headings of the doctors' reports, in their order. */
public enum Heading {
  FILES("Files"),
  TIERS("Tiers"),
  NODE_MANAGER("NodeManager"),
  TASKS("Containers"),
  SPARK("Spark"),
  S3A("S3A upload buffers"),
  MACHINE("This machine"),
  CLASS_PATH("Class path"),
  SETTINGS("Settings"),
  BUFFERS("Upload buffers"),
  CONNECTION("Connection"),
  BUCKET("Bucket"),
  WRITES("Writes"),
  READS("Reads"),
  CLEAN_UP("Clean-up");

  private final String title;

  Heading(String title) {
    this.title = title;
  }

  /** As people read it. */
  String title() {
    return title;
  }

  /** As programs read it, such as {@code class_path}. */
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
