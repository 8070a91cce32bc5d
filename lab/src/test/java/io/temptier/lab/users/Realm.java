// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.users;

import static java.nio.file.attribute.PosixFilePermissions.fromString;

import io.temptier.fixtures.SelfSigned;
import io.temptier.lab.cluster.ClusterSpec;
import io.temptier.lab.cluster.TlsFiles;
import io.temptier.lab.process.Shell;
import io.temptier.lab.testbed.Opened;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import org.apache.hadoop.minikdc.MiniKdc;
import org.jspecify.annotations.Nullable;

/**
 * A Kerberos realm with a KDC in this JVM, keytabs for the daemons and users of a cluster, and a
 * certificate for their pages and for shuffle. One at a time in a JVM, as Java's own settings name
 * it.
 */
final class Realm implements Closeable {
  /** Daemons of HDFS, and whoever asks in the cluster's name: its superuser. */
  static final String SUPERUSER = "nn";

  private static final String NODE = "nm";
  private static final String HOST = "/localhost";
  private static final String KRB5_CONF = "java.security.krb5.conf";

  private final Path home;
  private final String group;
  private final MiniKdc kdc;
  private @Nullable SelfSigned certificates;

  /**
   * Starts it.
   *
   * @param home a folder to make
   * @param group of the NodeManager, which alone may read its keytabs
   * @param users who get a keytab of their name
   */
  static Realm start(Path home, String group, String... users) throws Exception {
    Files.createDirectories(home);
    Properties conf = MiniKdc.createConf();
    MiniKdc kdc = new MiniKdc(conf, Files.createDirectory(home.resolve("kdc")).toFile());
    kdc.start();
    return Opened.make(opened -> opened.push(new Realm(home, group, kdc)).withFiles(users));
  }

  private Realm withFiles(String... users) throws Exception {
    Files.copy(kdc.getKrb5conf().toPath(), krb5Conf());
    for (String daemon : List.of(SUPERUSER, "dn", "rm", "jhs", NODE)) {
      kdc.createPrincipal(keytab(daemon).toFile(), daemon + HOST);
    }
    for (String user : users) {
      kdc.createPrincipal(keytab(user).toFile(), user);
    }
    kdc.createPrincipal(keytab("http").toFile(), "HTTP" + HOST, "HTTP/127.0.0.1");
    makeCertificate();
    Files.writeString(secret(), "a secret to sign cookies by");
    hide();
    return this;
  }

  private Realm(Path home, String group, MiniKdc kdc) {
    this.home = home;
    this.group = group;
    this.kdc = kdc;
  }

  Path krb5Conf() {
    return home.resolve("krb5.conf");
  }

  Path keytab(String of) {
    return home.resolve(of + ".keytab");
  }

  private Path secret() {
    return home.resolve("http-secret");
  }

  /** The certificate, as a client trusts it. */
  Path certificate() {
    return Objects.requireNonNull(certificates).certificate();
  }

  /** The principal of a user, or of one of HDFS's daemons. */
  String principal(String of) {
    return of + (of.equals(SUPERUSER) ? HOST : "") + "@" + kdc.getRealm();
  }

  private String daemon(String name) {
    return name + HOST + "@" + kdc.getRealm();
  }

  /** What a client of Hadoop's logs in by. */
  List<String> environment(String user) {
    return List.of("KRB5PRINCIPAL=" + principal(user), "KRB5KEYTAB=" + keytab(user));
  }

  /** A command line of Java that finds the KDC. */
  List<String> found(List<String> java) {
    List<String> line = new ArrayList<>(java);
    line.add(1, option());
    return line;
  }

  private String option() {
    return "-D" + KRB5_CONF + "=" + krb5Conf();
  }

  /** Tasks of users run on this machine. */
  private void hide() throws IOException {
    try (DirectoryStream<Path> keytabs = Files.newDirectoryStream(home, "*.keytab")) {
      for (Path keytab : keytabs) {
        Files.setPosixFilePermissions(keytab, fromString("rw-------"));
      }
    }
    for (Path file : List.of(keytab(NODE), keytab("http"), secret())) {
      giveToNode(file);
    }
  }

  private void giveToNode(Path file) throws IOException {
    Files.setPosixFilePermissions(file, fromString("rw-r-----"));
    Shell.run("chgrp", group, file.toString());
  }

  private void makeCertificate() throws IOException, GeneralSecurityException {
    SelfSigned made = SelfSigned.make(home);
    Files.delete(made.pem());
    giveToNode(made.keyStore());
    certificates = made;
  }

  Path trustStore() {
    return Objects.requireNonNull(certificates).trustStore();
  }

  /** Writes what TLS wants into a folder on the class path of daemons, clients or tasks. */
  void writeTls(Path conf) throws IOException {
    giveToNode(TlsFiles.write(conf, Objects.requireNonNull(certificates)));
  }

  /** Switches Kerberos and TLS on for all that a cluster serves. */
  ClusterSpec secure(ClusterSpec spec) {
    String http = keytab("http").toString();
    // Of the keytab whichever the client names, by name or by number.
    String web = "*";
    return spec.core("hadoop.security.authentication", "kerberos")
        .core(
            "hadoop.http.filter.initializers",
            "org.apache.hadoop.security.AuthenticationFilterInitializer")
        .core("hadoop.http.authentication.type", "kerberos")
        .core("hadoop.http.authentication.kerberos.principal", web)
        .core("hadoop.http.authentication.kerberos.keytab", http)
        .core("hadoop.http.authentication.signature.secret.file", secret().toString())
        .hdfs("dfs.block.access.token.enable", "true")
        .hdfs("dfs.data.transfer.protection", "authentication")
        .hdfs("dfs.http.policy", "HTTPS_ONLY")
        .hdfs("dfs.namenode.kerberos.principal", daemon(SUPERUSER))
        .hdfs("dfs.namenode.keytab.file", keytab(SUPERUSER).toString())
        .hdfs("dfs.datanode.kerberos.principal", daemon("dn"))
        .hdfs("dfs.datanode.keytab.file", keytab("dn").toString())
        .hdfs("dfs.web.authentication.kerberos.principal", web)
        .hdfs("dfs.web.authentication.kerberos.keytab", http)
        .yarn("yarn.http.policy", "HTTPS_ONLY")
        .yarn("yarn.resourcemanager.principal", daemon("rm"))
        .yarn("yarn.resourcemanager.keytab", keytab("rm").toString())
        .yarn("yarn.resourcemanager.webapp.spnego-principal", web)
        .yarn("yarn.resourcemanager.webapp.spnego-keytab-file", http)
        .yarn("yarn.nodemanager.principal", daemon(NODE))
        .yarn("yarn.nodemanager.keytab", keytab(NODE).toString())
        .yarn("yarn.nodemanager.webapp.spnego-principal", web)
        .yarn("yarn.nodemanager.webapp.spnego-keytab-file", http)
        .yarn("yarn.nodemanager.container-localizer.java.opts", "-Xmx256m " + option())
        .mapred("mapreduce.jobhistory.principal", daemon("jhs"))
        .mapred("mapreduce.jobhistory.keytab", keytab("jhs").toString())
        .mapred("mapreduce.jobhistory.webapp.spnego-principal", web)
        .mapred("mapreduce.jobhistory.webapp.spnego-keytab-file", http)
        .mapred("mapreduce.jobhistory.http.policy", "HTTPS_ONLY")
        .mapred("mapreduce.shuffle.ssl.enabled", "true")
        .mapred("yarn.app.mapreduce.am.admin-command-opts", option())
        .mapred("mapreduce.admin.map.child.java.opts", "-XX:TieredStopAtLevel=1 " + option())
        .mapred("mapreduce.admin.reduce.child.java.opts", "-XX:TieredStopAtLevel=1 " + option());
  }

  char[] password() {
    return SelfSigned.PASSWORD.toCharArray();
  }

  @Override
  public void close() {
    kdc.stop();
    System.clearProperty(KRB5_CONF);
  }
}
