// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.s3a.doctor;

/** The headings of the report, in its order. */
enum Topic {
  /** Jars. */
  CLASS_PATH("Class path"),
  /** What the files say, by itself. */
  SETTINGS("Settings"),
  /** Where blocks wait for their upload. */
  BUFFERS("Upload buffers"),
  /** Network, TLS, clocks. */
  CONNECTION("Connection"),
  /** Keys, the bucket, lists. */
  BUCKET("Bucket"),
  /** Objects made, replaced and deleted. */
  WRITES("Writes"),
  /** What reads cost. */
  READS("Reads"),
  /** What the doctor itself made. */
  CLEAN_UP("Clean-up");

  private final String title;

  Topic(String title) {
    this.title = title;
  }

  /** The heading. */
  String title() {
    return title;
  }
}
