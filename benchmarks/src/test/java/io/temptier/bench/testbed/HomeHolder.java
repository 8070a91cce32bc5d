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

/** The main of a JVM that has a testbed, and a disk in it if it may, until it is killed. */
public final class HomeHolder {
  private HomeHolder() {}

  /** Makes them in the folder {@code args[0]}, and says so. */
  public static void main(String[] args) throws IOException {
    TestbedHome home = TestbedHome.create(Path.of(args[0]));
    if (EmulatedDisk.hindrance().isEmpty()) {
      EmulatedDisk.create(home, "disk", 16 << 20).limit(new DiskSpeed(10, 10));
    }
    System.out.println("made " + home.path());
    System.in.read();
    System.exit(1);
  }
}
