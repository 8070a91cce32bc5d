// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.nodes;

import io.temptier.cli.CommandFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.security.UserGroupInformation;
import org.jspecify.annotations.Nullable;

/** Logs in by Hadoop's own classes, for this process. */
final class KerberosLogin {
  private KerberosLogin() {}

  private static void switchOn() {
    Configuration conf = new Configuration();
    conf.set(CommonConfigurationKeysPublic.HADOOP_SECURITY_AUTHENTICATION, "kerberos");
    // A user of another realm than this host's needs no local name here.
    conf.set("hadoop.security.auth_to_local.mechanism", "mit");
    try {
      UserGroupInformation.setConfiguration(conf);
    } catch (IllegalArgumentException e) {
      throw new CommandFailure(
          ("--negotiate: Kerberos cannot be used on this host (%s). Is there an /etc/krb5.conf with"
                  + " a default realm?")
              .formatted(e.getMessage()),
          e);
    }
  }

  /** Whoever kinit was run for. */
  static UserGroupInformation ofTicketCache() {
    switchOn();
    try {
      UserGroupInformation user = UserGroupInformation.getLoginUser();
      if (user.hasKerberosCredentials()) {
        return user;
      }
    } catch (IOException e) {
      throw noTicket(": " + oneLine(e), e);
    }
    throw noTicket("", null);
  }

  /** Java's own say why on lines of their own. */
  private static String oneLine(Throwable failure) {
    return String.valueOf(failure.getMessage()).strip().replaceAll("\\s+", " ");
  }

  private static CommandFailure noTicket(String why, @Nullable Throwable cause) {
    return new CommandFailure(
        ("--negotiate: there is no Kerberos ticket%s. Run kinit, which klist then shows, or give"
                + " --principal and --keytab.")
            .formatted(why),
        cause);
  }

  /** The user whose key a keytab holds. */
  static UserGroupInformation ofKeytab(String principal, Path keytab) {
    if (!Files.isReadable(keytab)) {
      throw new CommandFailure(
          "--keytab %s is no file that user %s may read."
              .formatted(keytab, System.getProperty("user.name")));
    }
    switchOn();
    try {
      return UserGroupInformation.loginUserFromKeytabAndReturnUGI(principal, keytab.toString());
    } catch (IOException e) {
      throw new CommandFailure(
          ("--principal %s cannot log in with --keytab %s (%s). klist -kt shows whose keys a"
                  + " keytab holds.")
              .formatted(principal, keytab, oneLine(e)),
          e);
    }
  }
}
