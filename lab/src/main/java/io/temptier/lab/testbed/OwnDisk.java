// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.testbed;

import io.temptier.tier.text.Sizes;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A folder of the run's own in a dir of the user's, on a disk as it is. Closing removes the folder;
 * a run that is killed is removed by its {@link Janitor}, and by the next run in that dir.
 */
public record OwnDisk(TestbedHome home, Path statistics) implements Disk {
  private static final Path DEVICES = Path.of("/sys/dev/block");
  private static final DiskTraffic NOTHING = new DiskTraffic(0, 0, 0, 0, 0);

  public static OwnDisk create(Path dir) throws IOException {
    TestbedHome home = TestbedHome.create(dir);
    return new OwnDisk(home, DEVICES.resolve(deviceOf(home.path())).resolve("stat"));
  }

  /** Major and minor number, as Linux packs them into a {@code dev_t}, see makedev(3). */
  static String deviceOf(Path path) throws IOException {
    long packed = ((Number) Files.getAttribute(path, "unix:dev")).longValue();
    long major = (packed >>> 8 & 0xfff) | (packed >>> 32 & ~0xfffL);
    long minor = (packed & 0xff) | (packed >>> 12 & ~0xffL);
    return major + ":" + minor;
  }

  @Override
  public Path mount() {
    return home.path();
  }

  /** True if the kernel counts its device's traffic; it has none for tmpfs, overlays and btrfs. */
  public boolean counted() {
    return Files.isReadable(statistics);
  }

  @Override
  public DiskTraffic traffic() throws IOException {
    return counted() ? DiskTraffic.parse(Files.readString(statistics)) : NOTHING;
  }

  @Override
  public String description() throws IOException {
    FileStore store = Files.getFileStore(mount());
    return mount() + " on " + store.type() + " of " + Sizes.format(store.getTotalSpace());
  }

  @Override
  public void close() throws IOException {
    home.close();
  }
}
