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
package io.temptier.bench.testbed;

import java.io.IOException;
import java.nio.file.Path;

/** A disk of a node that something is measured on. */
public interface Disk {
  /** The folder of the run on it. */
  Path mount();

  /** What it did since its device is there; nothing but zeros where the kernel does not count. */
  DiskTraffic traffic() throws IOException;
}
