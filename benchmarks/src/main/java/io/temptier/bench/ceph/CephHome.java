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
package io.temptier.bench.ceph;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * The files of a testbed.
 *
 * @param path its folder, absolute
 */
record CephHome(Path path) {
  /** Ceph's configuration file has no quotes, and its comments begin in the middle of a line. */
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9/._+-]+");

  /**
   * Makes the folders.
   *
   * @throws IOException when they cannot be made, or Ceph cannot work there
   */
  CephHome make() throws IOException {
    if (!PLAIN.matcher(path.toString()).matches()) {
      throw new IOException(
          "Ceph cannot work in " + path + ": its path may hold letters, digits and /._+- only");
    }
    Files.createDirectories(path.resolve("log"));
    Files.createDirectories(path.resolve("run"));
    return this;
  }

  /** Ceph's configuration, which every program of the testbed is given. */
  Path conf() {
    return path.resolve("ceph.conf");
  }

  /** The keys of all daemons. */
  Path keyring() {
    return path.resolve("keyring");
  }

  /** What a daemon logs. */
  Path log(String daemon) {
    return path.resolve("log").resolve(daemon + ".log");
  }

  /** What a program prints. */
  Path output(String name) {
    return path.resolve("log").resolve(name + ".out");
  }

  /** Makes the folder of a daemon's data, such as {@code osd.0}. */
  void makeData(String daemon) throws IOException {
    Files.createDirectories(path.resolve(daemon));
  }
}
