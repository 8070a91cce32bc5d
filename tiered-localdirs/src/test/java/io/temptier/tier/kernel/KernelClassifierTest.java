// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.testing.FakeKernel;
import io.temptier.tier.Medium;
import io.temptier.tier.kernel.KernelClassifier.Classification;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KernelClassifierTest {
  private final Path folder;
  private final FakeKernel kernel;

  KernelClassifierTest(@TempDir Path folder) {
    this.folder = folder;
    kernel = new FakeKernel(folder).disk("nvme0n1", "259:0", 0).disk("sda", "8:0", 1);
  }

  private Path nvme() {
    return kernel.mount("nvme0", "259:0", "ext4", "/dev/nvme0n1", "rw");
  }

  private Classification classify(Path path) {
    return kernel.classifier().classify(path);
  }

  private Classification mounted(String number, String fsType, String source, String options) {
    return classify(kernel.mount("m", number, fsType, source, options));
  }

  private static void assertFound(Medium medium, Set<String> disks, String why, Classification c) {
    assertEquals(medium, c.medium(), c::toString);
    assertEquals(disks, c.disks(), c::toString);
    assertTrue(c.why().contains(why), c::toString);
  }

  @ParameterizedTest
  @CsvSource({
    "sda, 8:0, 1, DISK, rotates",
    "sda, 8:0, 0, SSD, does not rotate",
    "vda, 254:16, 1, DISK, rotates",
    "vda, 254:16, 0, SSD, does not rotate",
    "xvdb, 202:16, 0, SSD, does not rotate",
    "nvme0n1, 259:0, 0, NVME, NVMe disk",
    "nvme0n1, 259:0, 1, NVME, NVMe disk",
    "pmem0, 259:1, 0, NVDIMM, persistent memory",
    "rbd0, 250:0, 0, REMOTE, network block device",
    "nbd3, 43:0, 0, REMOTE, network block device",
    "drbd0, 147:0, 0, REMOTE, network block device",
    "ram0, 1:0, 0, RAM_DISK, memory",
    "zram0, 252:0, 0, RAM_DISK, memory",
    "zd16, 230:16, 0, DISK, ZFS volume",
    "mmcblk0, 179:0, 0, SSD, does not rotate"
  })
  void goesByTheDisk(String name, String number, int rotational, Medium medium, String why) {
    kernel.disk(name, number, rotational);
    Classification found = mounted(number, "ext4", "/dev/" + name, "rw");
    assertFound(medium, Set.of(name), why, found);
    assertEquals(number, found.device());
    Path mountPoint = kernel.root().resolve("mnt/m");
    assertEquals(mountPoint, found.mountPoint());
    assertTrue(found.why().startsWith("ext4 at " + mountPoint), found::why);
  }

  @ParameterizedTest
  @CsvSource({
    "RAM_DISK, tmpfs ramfs",
    "REMOTE, nfs nfs4 lustre ceph glusterfs cifs smb3 beegfs 9p virtiofs",
    "REMOTE, fuse fuse.s3fs fuse.ceph-fuse fuseblk",
    "DISK, fusectl zfs novel"
  })
  void goesByTheFileSystem(Medium medium, String fsTypes) {
    for (String fsType : fsTypes.split(" ", -1)) {
      Path mount = kernel.mount(fsType, "0:77", fsType, "server:/export", "rw");
      assertEquals(medium, classify(mount).medium(), fsType);
      assertEquals("0:77", classify(mount).device());
    }
  }

  @ParameterizedTest
  @CsvSource({
    "259:2, xfs, /dev/nvme1n1p2, NVME, nvme1n1, 'nvme1n1p2, a partition: nvme1n1'",
    "9:127, xfs, /dev/md127, NVME, nvme0n1 nvme1n1, NVMe disk",
    "0:45, btrfs, /dev/mapper/luks-1, NVME, nvme0n1, dm-3 (luks-1)",
    "8:16, ext4, /dev/sdb, REMOTE, sdb, iSCSI",
    "8:98, ext4, /dev/sdr, DISK, sdr, does not tell"
  })
  void followsWhatIsStackedToItsDisks(
      String number, String type, String source, Medium medium, String disks, String why) {
    kernel
        .disk("nvme1n1", "259:1", 0)
        .partition("nvme1n1", "nvme1n1p2", "259:2")
        .stacked("md127", "9:127", "nvme0n1", "nvme1n1")
        .stacked("dm-3", "253:3", "nvme0n1")
        .set("dm-3", "dm/name", "luks-1")
        .device("platform/host3/session1/target3:0:0/block", "sdb", "8:16")
        .set("sdb", "queue/rotational", "0")
        .device("pci/block", "sdr", "8:98");
    assertFound(medium, Set.of(disks.split(" ", -1)), why, mounted(number, type, source, "rw"));
  }

  @Test
  void takesTheSlowestMemberOfAStack() {
    kernel
        .partition("sda", "sda1", "8:1")
        .stacked("md0", "9:0", "nvme0n1", "sda1")
        .set("md0", "md/level", "raid0")
        .stacked("dm-0", "253:0", "md0")
        .set("dm-0", "dm/name", "vg-yarn");
    Classification found = mounted("253:0", "ext4", "/dev/mapper/vg-yarn", "rw");
    assertFound(Medium.DISK, Set.of("nvme0n1", "sda"), "dm-0 (vg-yarn) over md0", found);
    assertTrue(
        found.why().contains("md0 (raid0) over nvme0n1, sda1, the slowest being"), found::why);
  }

  @ParameterizedTest
  @CsvSource({
    "REMOTE, Amazon Elastic Block Store | nvme_card-pd | PersistentDisk",
    "REMOTE, MSFT NVMe Accelerator v1.0 | Alibaba Cloud Elastic Block Storage",
    "NVME, Amazon EC2 NVMe Instance Storage | nvme_card | nvme_card12",
    "NVME, Microsoft NVMe Direct Disk | Microsoft NVMe Direct Disk v2 | INTEL SSDPE2KX080T8",
    "SSD, VMware Virtual NVMe Disk | VMware Virtual disk | QEMU NVMe Ctrl | ORCL-VBOX-NVME-VER12"
  })
  void tellsCloudVolumesFromLocalNvme(Medium medium, String models) {
    Path mount = nvme();
    for (String model : models.split(" \\| ", -1)) {
      kernel.set("nvme0n1", "device/model", model + "      ");
      assertEquals(medium, classify(mount).medium(), model);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "Google, PersistentDisk, 0, REMOTE",
    "VMware, Virtual disk, 0, SSD",
    "VMware, Virtual disk, 1, DISK",
    "Msft, Virtual Disk, 1, DISK",
    "ATA, INTEL SSDSC2KB96, 0, SSD"
  })
  void tellsVolumesAndVirtualDisksBehindScsi(
      String vendor, String model, int rotational, Medium medium) {
    kernel
        .disk("sda", "8:0", rotational)
        .set("sda", "device/vendor", vendor + "   ")
        .set("sda", "device/model", model + "  ");
    Classification found = mounted("8:0", "ext4", "/dev/sda", "rw");
    assertEquals(medium, found.medium(), found::why);
  }

  /** Of a disk with paths the device is its subsystem, which has the model. */
  @Test
  void tellsACloudVolumeWithPaths() {
    kernel
        .device("virtual/nvme-subsystem/nvme-subsys0", "nvme0n1", "259:1")
        .set("nvme0n1", "device/model", "Amazon Elastic Block Store")
        .set("nvme0n1", "device/nvme0/transport", "pcie")
        .partition("virtual/nvme-subsystem/nvme-subsys0", "nvme0n1", "nvme0n1p1", "259:2");
    assertFound(
        Medium.REMOTE,
        Set.of("nvme0n1"),
        "an EBS volume",
        mounted("259:2", "ext4", "/dev/nvme0n1p1", "rw"));
  }

  @ParameterizedTest
  @CsvSource({"pcie, NVME", "tcp, REMOTE", "rdma, REMOTE", "fc, REMOTE", "loop, NVME"})
  void tellsNvmeOverANetwork(String transport, Medium medium) {
    kernel
        .set("nvme0n1", "device/transport", transport)
        .disk("nvme1n1", "259:1", 0)
        .set("nvme1n1", "device/nvme1/transport", transport);
    Path direct = kernel.mount("direct", "259:0", "ext4", "/dev/nvme0n1", "rw");
    Path multipath = kernel.mount("multipath", "259:1", "ext4", "/dev/nvme1n1", "rw");
    assertEquals(medium, classify(direct).medium());
    assertEquals(medium, classify(multipath).medium());
  }

  @Test
  void followsALoopToItsFile() throws IOException {
    kernel.device("virtual/block", "loop7", "7:7");
    Path file = kernel.mount("hdd", "8:0", "ext4", "/dev/sda", "rw").resolve("image");
    Files.createFile(file);
    kernel.set("loop7", "queue/rotational", "0").set("loop7", "loop/backing_file", file.toString());
    assertFound(
        Medium.DISK,
        Set.of("sda"),
        "loop7 loops over " + file,
        mounted("7:7", "ext4", "/dev/loop7", "rw"));
  }

  /** In options, {@code SELF} is where it is mounted. */
  @ParameterizedTest
  @CsvSource({
    "7:7, ext4, /dev/loop7, rw, loop7, cannot be seen",
    "253:0, ext4, /dev/mapper/a, rw, , stacked too deep",
    "0:50, overlay, overlay, 'rw,lowerdir=/l', , be seen from here",
    "0:50, overlay, overlay, 'rw,lowerdir=/l,upperdir=/not/here,workdir=/w', , be seen from here",
    "0:50, overlay, overlay, 'rw,upperdir=SELF', , too many file systems stacked",
    "0:52, zfs, tank/yarn, rw, , tag the dir",
    "8:99, ext4, /dev/sdq, rw, , are not told"
  })
  void whatCannotBeFollowedCountsAsADisk(
      String number,
      String type,
      String source,
      String options,
      @Nullable String disk,
      String why) {
    kernel
        .device("virtual/block", "loop7", "7:7")
        .set("loop7", "queue/rotational", "0")
        .set("loop7", "loop/backing_file", "/gone/image (deleted)")
        .stacked("dm-0", "253:0", "dm-0");
    String self = kernel.root().resolve("mnt/m").toString();
    Set<String> disks = disk == null ? Set.of() : Set.of(disk);
    Classification found = mounted(number, type, source, options.replace("SELF", self));
    assertFound(Medium.DISK, disks, why, found);
  }

  @Test
  void endsALoopOverItself() throws IOException {
    kernel.device("virtual/block", "loop7", "7:7");
    Path file = kernel.mount("m", "7:7", "ext4", "/dev/loop7", "rw").resolve("image");
    Files.createFile(file);
    kernel.set("loop7", "loop/backing_file", file.toString());
    Classification found = classify(file.resolveSibling("."));
    assertEquals(Medium.DISK, found.medium());
    assertTrue(found.why().contains("too many file systems stacked"), found::why);
  }

  @Test
  void followsAnOverlayToItsUpperFolder() throws IOException {
    Path upper = Files.createDirectory(nvme().resolve("upper"));
    String options = "rw,lowerdir=/l,upperdir=" + upper + ",workdir=/w";
    assertFound(
        Medium.NVME,
        Set.of("nvme0n1"),
        "over " + upper,
        mounted("0:50", "overlay", "overlay", options));
  }

  @Test
  void findsAllMembersOfBtrfs() {
    kernel.disk("sdb", "8:16", 1).btrfs("aaaa", "sdb").btrfs("bbbb", "nvme0n1", "sda");
    Classification found = mounted("0:45", "btrfs", "/dev/nvme0n1", "rw,subvol=/");
    assertFound(Medium.DISK, Set.of("nvme0n1", "sda"), "btrfs over nvme0n1, sda", found);
    assertEquals("0:45", found.device());
  }

  @Test
  void findsTheMembersOfBcachefs() {
    Path all = kernel.mount("all", "0:60", "bcachefs", "/dev/nvme0n1:/dev/sda", "rw");
    assertFound(Medium.DISK, Set.of("nvme0n1", "sda"), "slowest being sda", classify(all));
    Path some = kernel.mount("some", "0:61", "bcachefs", "/dev/nvme0n1:/dev/sdz", "rw");
    assertFound(Medium.DISK, Set.of(), "are not told", classify(some));
  }

  @Test
  void followsSymbolicLinks() throws IOException {
    Path point = nvme();
    Path link = Files.createSymbolicLink(kernel.root().resolve("data1"), point);
    assertEquals(Medium.NVME, classify(link.resolve("yarn/not/yet/there")).medium());
    assertTrue(classify(link).sharesFileSystem(classify(point)));
  }

  @Test
  void takesTheDeepestMountAndUnescapesIt() throws IOException {
    kernel.mount("data", "8:0", "ext4", "/dev/sda", "rw");
    int data = kernel.lastMount();
    Path deep = kernel.mountOn(data, "data/fast disk", "259:0", "ext4", "/dev/nvme0n1", "rw");
    assertEquals(Medium.NVME, classify(deep.resolve("yarn")).medium());
    Path near = Files.createDirectory(deep.resolveSibling("fast disk 2"));
    assertEquals(Medium.DISK, classify(near).medium());
  }

  @Test
  void seesTheUpperOfTwoMountsOnOnePoint() {
    kernel.mount("data", "259:0", "ext4", "/dev/nvme0n1", "rw");
    Path over = kernel.mountOn(kernel.lastMount(), "data", "8:0", "ext4", "/dev/sda", "rw");
    assertEquals(Medium.DISK, classify(over).medium());
  }

  @Test
  void doesNotSeeAMountHiddenByALaterOne() {
    Path hidden = kernel.mount("data/nvme", "259:0", "ext4", "/dev/nvme0n1", "rw");
    kernel.mount("data", "8:0", "ext4", "/dev/sda", "rw");
    // The later mount covers data; what is now at data/nvme is a plain folder of it.
    assertEquals(Medium.DISK, classify(hidden).medium());
  }

  @Test
  void copesWithoutARootMount() {
    Path point = nvme();
    kernel.mountinfo("7 3 259:0 / " + point + " rw - ext4 /dev/nvme0n1 rw\n");
    assertEquals(Medium.NVME, classify(point.resolve("yarn")).medium());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "garbage", "1 0 8:0 / / rw", "x y z / / rw - ext4 /dev/sda rw", "- - -"})
  void staysCarefulWhenTheKernelDoesNotAnswer(String mountinfo, @TempDir Path empty) {
    FakeKernel silent = new FakeKernel(empty);
    silent.mountinfo(mountinfo);
    Classification found = silent.classifier().classify(folder);
    assertEquals(Medium.DISK, found.medium());
    assertFalse(found.why().isEmpty());
  }

  @Test
  void staysCarefulWithoutSysAndProc() {
    Path nowhere = folder.resolve("nowhere");
    Classification found = new KernelClassifier(nowhere, nowhere).classify(folder);
    assertFound(Medium.DISK, Set.of(), "taken for a disk", found);
    assertFalse(found.sharesFileSystem(found), "unknown devices are not known to be one");
  }

  @Test
  void knowsTheDirsOfOneFileSystem() {
    kernel.partition("sda", "sda1", "8:1").partition("sda", "sda2", "8:2");
    Classification one = classify(kernel.mount("a", "8:1", "ext4", "/dev/sda1", "rw"));
    Classification bind = classify(kernel.mount("b", "8:1", "ext4", "/dev/sda1", "rw"));
    Classification two = classify(kernel.mount("c", "8:2", "ext4", "/dev/sda2", "rw"));
    assertTrue(one.sharesFileSystem(bind));
    assertFalse(one.sharesFileSystem(two));
    assertEquals(one.disks(), two.disks());
  }

  @ParameterizedTest
  @ValueSource(longs = {2, 77, 20261121})
  void answersWhateverTheKernelSays(long seed) {
    Random random = new Random(seed);
    String alphabet = "0123 :/-,\n\\rwext4btrfs=dev\u0000\u00e4";
    for (int round = 0; round < 500; round++) {
      StringBuilder text = new StringBuilder("1 0 8:0 / / rw - ext4 /dev/sda rw\n");
      for (int length = random.nextInt(200); length > 0; length--) {
        text.append(alphabet.charAt(random.nextInt(alphabet.length())));
      }
      kernel.mountinfo(text.toString());
      assertEquals(Medium.DISK, classify(folder).medium(), () -> "seed " + seed + ": " + text);
    }
  }
}
