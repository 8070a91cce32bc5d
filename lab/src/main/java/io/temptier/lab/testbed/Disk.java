// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.testbed;

import java.io.IOException;
import java.nio.file.Path;

/** A disk of a node that something is measured on. */
public interface Disk {
  Path mount();

  /** What it did since its device is there; nothing but zeros where the kernel does not count. */
  DiskTraffic traffic() throws IOException;

  /** What it is, for people. */
  String description() throws IOException;
}
