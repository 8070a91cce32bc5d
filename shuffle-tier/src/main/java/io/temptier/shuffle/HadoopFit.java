// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle;

import io.temptier.hadoop.conf.JarCheck;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.hadoop.util.VersionInfo;
import org.apache.hadoop.yarn.server.api.AuxiliaryService;

/**
 * Whether this jar's handler and the Hadoop around it belong together, as {@link JarCheck} judges.
 *
 * <p>Of this module two jars are made. {@code shuffle-tier} needs the handler of Hadoop 3.4, which
 * is on Netty 4. {@code shuffle-tier-hadoop33} holds that handler, renamed, for Hadoop 3.3, whose
 * own is on Netty 3.
 */
final class HadoopFit {
  // Joined when it runs: in shuffle-tier-hadoop33 the names of classes it holds are renamed.
  private static final String STOCK = "org.apache.hadoop.mapred.".concat("ShuffleHandler");

  private HadoopFit() {}

  /** Why TempTier cannot serve, and what to do, or empty where it can. */
  static Optional<String> misfit() {
    JarCheck jars =
        JarCheck.of(HadoopFit.class.getClassLoader()).orHadoop(VersionInfo.getVersion());
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
}
