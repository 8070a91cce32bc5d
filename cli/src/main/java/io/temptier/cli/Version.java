// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli;

import io.temptier.tier.BuildVersion;
import org.apache.hadoop.util.VersionInfo;
import picocli.CommandLine.IVersionProvider;

/** The versions of TempTier, of the Hadoop it runs with, and of Java. */
public final class Version implements IVersionProvider {

  @Override
  public String[] getVersion() {
    return new String[] {
      "temptier " + BuildVersion.get(),
      "Hadoop " + ofHadoop(),
      "Java " + Runtime.version() + " (" + System.getProperty("java.vendor") + ")"
    };
  }

  private static String ofHadoop() {
    try {
      return VersionInfo.getVersion();
    } catch (LinkageError e) {
      return "not on the classpath";
    }
  }
}
