// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.conf;

import io.temptier.tier.Medium;
import io.temptier.tier.NearestName;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.text.Bounds;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Every configuration key, with default and meaning; generates {@code docs/configs.md}. */
public enum TierKey {
  ENABLED(
      "temptier.enabled",
      "true",
      Type.BOOLEAN,
      "Whether TempTier places files at all. `false` leaves everything to stock Hadoop."),
  LOCAL_DIRS(
      "temptier.local-dirs",
      "",
      Type.DIRS,
      "The dirs of `yarn.nodemanager.local-dirs`, each with its medium and, if wanted, a cap. For"
          + " other dirs the kernel tells the medium."),
  ACCEPT(
      "temptier.accept",
      "",
      Type.ACCEPTED,
      "[What is meant as it is](operations.md#warnings-that-are-meant): warnings of these keys"
          + " count as remarks; a dir's path says that its tier is to lie on the root file"
          + " system."),
  TIER_ORDER(
      "temptier.tier-order",
      "RAM_DISK,NVDIMM,NVME,SSD,DISK,REMOTE",
      Type.MEDIA,
      "The media, fastest first. Media left out come after those named, in the default order."),
  RESERVE(
      "temptier.reserve",
      "15%",
      Type.RESERVE,
      "What TempTier leaves free on each file system. Keep it larger than what [YARN's disk"
          + " check](operations.md#the-order-of-the-watermarks) wants free."),
  RESERVE_NVME(RESERVE, Medium.NVME),
  RESERVE_SSD(RESERVE, Medium.SSD),
  RESERVE_DISK(RESERVE, Medium.DISK),
  SHIFT_WHEN_SLOW(
      "temptier.shift-when-slow",
      "true",
      Type.BOOLEAN,
      "Whether new files avoid a dir while its disks answer slower than the next tier's and other"
          + " dirs have room."),
  UNKNOWN_SIZE(
      "temptier.unknown-size",
      "64m",
      Type.SIZE,
      Bounds.of("128k", "1t"),
      "The size that counts for a file whose writer names no size."),
  LARGE_SIZE(
      "temptier.large-size",
      "4g",
      Type.SIZE,
      Bounds.of("0", "1p"),
      "The room above the reserve that a tier needs to take a file that may become large. Set it"
          + " to the size of the largest unpacked archive; `0` takes any room."),
  FILL_LIMITS(
      "temptier.fill-limits",
      "user:*=100%",
      Type.LIMITS,
      "[How full](operations.md#who-may-fill-the-fast-tier) a tier may be to take files of some"
          + " users or kinds."),
  DEMOTION_ENABLED(
      "temptier.demotion.enabled",
      "true",
      Type.BOOLEAN,
      "Whether map outputs (by TempTier's shuffle handler) and Spark's blocks"
          + " [move down](operations.md#what-leaves-the-fast-tier-demotion)."),
  DEMOTION_COLD_AFTER(
      "temptier.demotion.cold-after",
      "1m",
      Type.DURATION,
      Bounds.of("1ms", "1d"),
      "How long a map output must lie untouched before it may move: neither written nor fetched"
          + " from. What nearly all reducers have fetched may move at once, and all outputs while"
          + " other users of the disk take the tier's reserve."),
  DEMOTION_HIGH(
      "temptier.demotion.high",
      "80%",
      Type.PERCENT,
      Bounds.of("1%", "100%"),
      "Demotion of cold outputs starts when a dir's file system or cap is this full. Keep it below"
          + " 100% less `temptier.reserve`; the default lies at least 5 points below."),
  DEMOTION_LOW(
      "temptier.demotion.low",
      "70%",
      Type.PERCENT,
      Bounds.of("0%", "99%"),
      "Demotion stops when the file system or cap is only this full. The default is at least 10"
          + " points below `temptier.demotion.high`."),
  DEMOTION_RATE(
      "temptier.demotion.rate",
      "64m",
      Type.SIZE,
      Bounds.of("64k", "1t"),
      "The most bytes that all processes of the node together demote in a second; less while"
          + " shuffle reads want the slow disk."),
  SHUFFLE_MEMORY(
      "temptier.shuffle.memory",
      "64m",
      Type.SIZE,
      Bounds.of("4m", "64g"),
      "Memory outside the heap for segments that were read and not yet sent; 1 MiB more for each"
          + " read under way on a slow device."),
  LANE_DEPTH(
      "temptier.shuffle.lane-depth.disk",
      "2",
      Type.COUNT,
      // No device gains from more; each is a thread.
      Bounds.of("1", "1024"),
      "How many reads the shuffle handler has under way at a time on each `DISK` device. Raise it"
          + " where a dir lies on a RAID of many disks.");

  public enum Type {
    BOOLEAN("`true` or `false`"),
    DIRS("list of `[MEDIUM:cap]/dir`"),
    ACCEPTED("list of keys and dirs"),
    MEDIA("list of media"),
    RESERVE("percentage up to 95%, or size"),
    SIZE("size"),
    PERCENT("percentage"),
    LIMITS("list of `user:NAME=50%` and `kind:KIND=50%`"),
    COUNT("whole number"),
    DURATION("duration");
    private final String text;

    Type(String text) {
      this.text = text;
    }
  }

  public static final String PREFIX = "temptier.";

  /** Letters by which a word may differ from ours and still be meant as ours. */
  static final int SLIPS = 2;

  private final String key;
  private final String defaultValue;
  private final Type type;
  private final @Nullable Bounds bounds;
  private final String doc;
  private final @Nullable TierKey general;

  TierKey(String key, String defaultValue, Type type, String doc) {
    this(key, defaultValue, type, null, doc);
  }

  TierKey(String key, String defaultValue, Type type, @Nullable Bounds bounds, String doc) {
    this.key = key;
    this.defaultValue = defaultValue;
    this.type = type;
    this.bounds = bounds;
    this.doc = doc;
    this.general = null;
  }

  TierKey(TierKey general, Medium medium) {
    this.key = general.key + "." + medium.name().toLowerCase(Locale.ROOT);
    this.defaultValue = "";
    this.type = general.type;
    this.bounds = general.bounds;
    this.doc = "The reserve on `" + medium + "` dirs.";
    this.general = general;
  }

  public String key() {
    return key;
  }

  /** The value that holds when the property is not set; empty when there is none. */
  public String defaultValue() {
    return defaultValue;
  }

  public Type type() {
    return type;
  }

  /** The least and the most a value may be, where that is limited. */
  public Optional<Bounds> bounds() {
    return Optional.ofNullable(bounds);
  }

  /** Describes the form and bounds of its values, for people, in Markdown. */
  public String valueText() {
    return type.text + (bounds == null ? "" : ", " + bounds);
  }

  public String doc() {
    return doc;
  }

  /** The key that holds where this one, which is of one medium, is not set. */
  public Optional<TierKey> general() {
    return Optional.ofNullable(general);
  }

  /** The key of the same meaning for one medium, if that has its own. */
  public Optional<TierKey> of(Medium medium) {
    return find(key + "." + medium.name().toLowerCase(Locale.ROOT));
  }

  public static Optional<TierKey> find(String key) {
    return Arrays.stream(values()).filter(k -> k.key.equals(key)).findFirst();
  }

  /**
   * The key that is meant by a name, both without the prefix: by another name of its medium, or
   * with few other letters.
   */
  static Optional<TierKey> meant(String rest) {
    int last = rest.lastIndexOf('.') + 1;
    Optional<TierKey> ofMedium =
        NearestName.ofMedium(rest.substring(last))
            .map(medium -> rest.substring(0, last) + medium.name().toLowerCase(Locale.ROOT))
            .flatMap(name -> find(PREFIX + name));
    String name = rest.toLowerCase(Locale.ROOT);
    return ofMedium.isPresent()
        ? ofMedium
        : Arrays.stream(values())
            .filter(key -> key.slips(name) <= SLIPS)
            .min(Comparator.comparing(key -> key.slips(name)));
  }

  private int slips(String rest) {
    return NearestName.distance(rest, key.substring(PREFIX.length()));
  }

  public static List<String> names() {
    return Arrays.stream(values()).map(TierKey::key).collect(Immutable.toList());
  }

  @Override
  public String toString() {
    return key;
  }
}
