/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
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
