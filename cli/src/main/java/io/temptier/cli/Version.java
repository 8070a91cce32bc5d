// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import org.apache.hadoop.util.VersionInfo;
import picocli.CommandLine.IVersionProvider;

/** The versions of TempTier, of the Hadoop it runs with, and of Java. */
public final class Version implements IVersionProvider {

  @Override
  public String[] getVersion() {
    return new String[] {
      "temptier " + ofTempTier(),
      "Hadoop " + ofHadoop(),
      "Java " + Runtime.version() + " (" + System.getProperty("java.vendor") + ")"
    };
  }

  /** The version in this jar, or {@code unknown}. */
  public static String ofTempTier() {
    Properties properties = new Properties();
    try (InputStream in = Version.class.getResourceAsStream("version.properties")) {
      if (in != null) {
        properties.load(in);
      }
    } catch (IOException e) {
      // The version is for people only: a damaged jar will show in better places than here.
      return "unknown";
    }
    return properties.getProperty("version", "unknown");
  }

  private static String ofHadoop() {
    try {
      return VersionInfo.getVersion();
    } catch (LinkageError e) {
      return "not on the classpath";
    }
  }
}
