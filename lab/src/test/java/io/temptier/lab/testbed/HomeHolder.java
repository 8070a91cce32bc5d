// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.testbed;

import java.io.IOException;
import java.nio.file.Path;

/** The main of a JVM that has a testbed, and a disk in it if it may, until it is killed. */
public final class HomeHolder {
  private HomeHolder() {}

  /** Makes them in the folder {@code args[0]}, with {@code args[1]} disks, and says so. */
  public static void main(String[] args) throws IOException {
    TestbedHome home = TestbedHome.create(Path.of(args[0]));
    for (int disk = 0; disk < Integer.parseInt(args[1]); disk++) {
      EmulatedDisk.create(home.path(), "disk" + disk, 16 << 20).limit(new DiskSpeed(10, 10));
    }
    System.out.println("made " + home.path());
    System.in.read();
    System.exit(1);
  }
}
