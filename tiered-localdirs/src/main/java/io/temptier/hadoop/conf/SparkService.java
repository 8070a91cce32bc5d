// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.conf;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.IOUtils;
import org.apache.hadoop.util.ApplicationClassLoader;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/**
 * Spark's shuffle service in a NodeManager. From Spark 4.3 on it serves no file over a link that
 * leads out of an executor's folders, unless {@link #VERIFY} is false; an executor of an older
 * Spark, which it serves too, cannot know.
 */
public final class SparkService {
  public static final String VERIFY = "spark.shuffle.service.verifyBlockPathsAtRead";

  private static final String SERVICE = "org.apache.spark.network.yarn.YarnShuffleService";
  private static final String SITE = "spark-shuffle-site.xml";

  /** The class that follows links or not, and how its checking form names the switch. */
  private static final String RESOLVER =
      "org/apache/spark/network/shuffle/ExternalShuffleBlockResolver.class";

  private static final int BUFFER_BYTES = 4096;
  private static final String SWITCH = VERIFY.substring(VERIFY.lastIndexOf('.') + 1);

  private SparkService() {}

  /** True if a service of this NodeManager refuses links; false, too, where it is not found. */
  static boolean refusesLinks(Configuration node) {
    for (String name : node.getTrimmedStrings(YarnConfiguration.NM_AUX_SERVICES)) {
      String service = node.get(String.format(YarnConfiguration.NM_AUX_SERVICE_FMT, name), "");
      String jars = node.get(String.format(YarnConfiguration.NM_AUX_SERVICES_CLASSPATH, name), "");
      if (service.trim().equals(SERVICE) && refusesLinks(node, jars)) {
        return true;
      }
    }
    return false;
  }

  private static boolean refusesLinks(Configuration node, String jars) {
    ClassLoader ours = Objects.requireNonNull(SparkService.class.getClassLoader());
    try (URLClassLoader loader = new ApplicationClassLoader(jars, ours, null)) {
      Configuration service = new Configuration(node);
      URL site = loader.getResource(SITE);
      if (site != null) {
        service.addResource(site);
      }
      return service.getBoolean(VERIFY, true) && verifies(loader);
    } catch (IOException e) {
      return false;
    }
  }

  /** True if a class path has a service that refuses links where {@link #VERIFY} is on. */
  public static boolean verifies(ClassLoader spark) {
    try (InputStream resolver = spark.getResourceAsStream(RESOLVER)) {
      if (resolver == null) {
        return false;
      }
      ByteArrayOutputStream code = new ByteArrayOutputStream();
      IOUtils.copyBytes(resolver, code, BUFFER_BYTES);
      return code.toString("ISO-8859-1").contains(SWITCH);
    } catch (IOException e) {
      return false;
    }
  }
}
