// SPDX-License-Identifier: Apache-2.0
package io.temptier.spark;

import io.temptier.hadoop.conf.TierKey;
import io.temptier.tier.NearestName;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.text.Finding;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.SparkConf;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.Tuple2;

/** TempTier's properties in Spark's configuration: a node's with {@code spark.} before them. */
final class SparkKeys {
  static final String ORIGIN = "Spark's configuration";

  private static final String SPARK = "spark.";
  private static final String PREFIX = SPARK + TierKey.PREFIX;

  /** Properties of applications alone, behind the prefix. */
  private static final List<String> OWN = Immutable.listOf("driver", "demotion");

  /** Properties that only a NodeManager heeds, or that need the folders it makes. */
  private static final List<String> OF_NODE_MANAGER =
      Immutable.listOf(
          TierKey.DEMOTION_COLD_AFTER.key(),
          TierKey.SHIFT_WHEN_SLOW.key(),
          TierKey.PREFIX + "shuffle.");

  private static final Logger LOG = LoggerFactory.getLogger(SparkKeys.class);
  private static final Set<String> TOLD = ConcurrentHashMap.newKeySet();

  private SparkKeys() {}

  static void warn(String warning) {
    if (TOLD.add(warning)) {
      LOG.warn(warning);
    }
  }

  static void tell(Finding finding) {
    if (finding.severity() == Finding.Severity.WARNING) {
      warn(words(finding));
    } else {
      LOG.info(words(finding));
    }
  }

  /** A finding on a node's configuration, as it reads for Spark's. */
  static String words(Finding finding) {
    return finding
        .toString()
        .replace(finding.severity() + " ", "")
        .replace("yarn.nodemanager.local-dirs", "spark.local.dir")
        .replace(" TempTier stays off on this node, which behaves as stock Hadoop.", "")
        .replaceAll("(?<!spark\\.)\\btemptier\\.", SPARK + TierKey.PREFIX);
  }

  /** Throws when the value is neither true nor false. */
  static boolean flag(SparkConf conf, String key, boolean standard)
      throws SparkTiers.StockException {
    String value = conf.get(key, String.valueOf(standard)).trim();
    if (!value.equalsIgnoreCase("true") && !value.equalsIgnoreCase("false")) {
      throw new SparkTiers.StockException(
          key + "=" + value + " is neither true nor false. Set it to one of the two.");
    }
    return Boolean.parseBoolean(value);
  }

  /** A node's configuration of what is set for its executors. */
  static Configuration ofNode(SparkConf conf) {
    Configuration node = new Configuration(false);
    for (TierKey key : TierKey.values()) {
      if (conf.contains(SPARK + key)) {
        node.set(key.key(), conf.get(SPARK + key), ORIGIN);
      }
    }
    return node;
  }

  /** Says of each property that is set and has no effect why that is so. */
  static List<String> idle(SparkConf conf) {
    List<String> names = new ArrayList<>(OWN);
    TierKey.names().forEach(name -> names.add(name.substring(TierKey.PREFIX.length())));
    List<String> idle = new ArrayList<>();
    for (Tuple2<String, String> set : conf.getAllWithPrefix(PREFIX)) {
      String name = TierKey.PREFIX + set._1;
      if (!names.contains(set._1)) {
        String meant =
            NearestName.of(set._1, names)
                .map(near -> "Did you mean " + PREFIX + near + "?")
                .orElse("docs/spark.md lists all.");
        idle.add("There is no property " + PREFIX + set._1 + "; it has no effect. " + meant);
      } else if (SparkTiers.onYarn(conf)
          && !OWN.contains(set._1)
          && !name.equals(TierKey.ENABLED.key())) {
        idle.add(
            PREFIX
                + set._1
                + " has no effect on YARN, where executors go by their NodeManager. Set "
                + name
                + " there.");
      } else if (OF_NODE_MANAGER.stream().anyMatch(name::startsWith)) {
        idle.add(PREFIX + set._1 + " has no effect: only a NodeManager goes by " + name + ".");
      }
    }
    return idle;
  }
}
