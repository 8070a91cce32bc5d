// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle;

import io.temptier.hadoop.conf.JarCheck;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.hadoop.mapred.ShuffleHandler;
import org.apache.hadoop.util.VersionInfo;
import org.apache.hadoop.yarn.server.api.AuxiliaryService;

/**
 * Whether this jar's handler and the Hadoop around it belong together.
 *
 * <p>Of this module two jars are made. {@code shuffle-tier} needs the handler of Hadoop 3.4, which
 * is on Netty 4. {@code shuffle-tier-hadoop33} holds that handler, renamed, for Hadoop 3.3, whose
 * own is on Netty 3.
 */
final class HadoopFit {
  // Joined when it runs: in shuffle-tier-hadoop33 the names of classes it holds are renamed.
  private static final String MAPRED = "org.apache.hadoop.mapred.";
  private static final String STOCK = MAPRED.concat("ShuffleHandler");
  private static final String NETTY_4 = MAPRED.concat("ShuffleChannelHandler");

  /** Hadoop's own Guava, which it has since 3.3. */
  private static final String GUAVA =
      "org.apache.hadoop.thirdparty.com.google.common.cache.CacheBuilder";

  private HadoopFit() {}

  /** Why TempTier cannot serve, and what to do, or empty where it can. */
  static Optional<String> misfit() {
    String hadoop = "this is Hadoop " + VersionInfo.getVersion();
    if (isThere(NETTY_4)) {
      return renamed()
          ? Optional.of(
              "the jar shuffle-tier-hadoop33 is for Hadoop 3.3, and "
                  + hadoop
                  + ". Put the jar shuffle-tier in its place")
          : byJars();
    }
    if (!isThere(GUAVA)) {
      return Optional.of(
          "it needs Hadoop 3.3 or later, and "
              + hadoop
              + ", where TempTier places files and does no more. Leave"
              + " yarn.nodemanager.aux-services.mapreduce_shuffle.class as it was");
    }
    return renamed()
        ? byJars()
        : Optional.of(
            "the jar shuffle-tier is for Hadoop 3.4 or later, and "
                + hadoop
                + ". Put the jar shuffle-tier-hadoop33 in its place");
  }

  /** Several versions of TempTier, both jars, or a Hadoop that is not known. */
  private static Optional<String> byJars() {
    JarCheck jars = JarCheck.of(HadoopFit.class.getClassLoader());
    return Stream.of(jars.versions(), jars.hadoop(), jars.shuffle())
        .filter(Optional::isPresent)
        .map(trouble -> trouble.get().toString())
        .findFirst();
  }

  /** Hadoop's own handler. */
  static AuxiliaryService stock() throws ReflectiveOperationException {
    return Class.forName(STOCK)
        .asSubclass(AuxiliaryService.class)
        .getDeclaredConstructor()
        .newInstance();
  }

  /** Whether this jar holds a handler of its own. */
  private static boolean renamed() {
    return !ShuffleHandler.class.getName().equals(STOCK);
  }

  private static boolean isThere(String name) {
    try {
      Class.forName(name, false, HadoopFit.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException | LinkageError e) {
      return false;
    }
  }
}
