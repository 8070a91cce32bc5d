// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.users;

import static java.nio.file.attribute.PosixFilePermissions.fromString;

import io.temptier.lab.cluster.ClusterSpec;
import io.temptier.lab.cluster.SiteFile;
import io.temptier.lab.process.Shell;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.hadoop.minikdc.MiniKdc;

/**
 * A Kerberos realm with a KDC in this JVM, keytabs for the daemons and users of a cluster, and a
 * certificate for their pages and for shuffle. One at a time in a JVM, as Java's own settings name
 * it.
 */
final class Realm implements AutoCloseable {
  /** Daemons of HDFS, and whoever asks in the cluster's name: its superuser. */
  static final String SUPERUSER = "nn";

  private static final String NODE = "nm";
  private static final String HOST = "/localhost";
  private static final String PASSWORD = "changeit";
  private static final String KRB5_CONF = "java.security.krb5.conf";

  private final Path home;
  private final String group;
  private final MiniKdc kdc;

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
    Realm realm = new Realm(home, group, kdc);
    boolean made = false;
    try {
      Files.copy(kdc.getKrb5conf().toPath(), realm.krb5Conf());
      for (String daemon : List.of(SUPERUSER, "dn", "rm", "jhs", NODE)) {
        kdc.createPrincipal(realm.keytab(daemon).toFile(), daemon + HOST);
      }
      for (String user : users) {
        kdc.createPrincipal(realm.keytab(user).toFile(), user);
      }
      kdc.createPrincipal(realm.keytab("http").toFile(), "HTTP" + HOST, "HTTP/127.0.0.1");
      realm.makeCertificate();
      Files.writeString(realm.secret(), "a secret to sign cookies by");
      realm.hide();
      made = true;
      return realm;
    } finally {
      if (!made) {
        realm.close();
      }
    }
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
    return home.resolve("ca.pem");
  }

  Path keyStore() {
    return home.resolve("server.p12");
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

  private void makeCertificate() throws Exception {
    String keytool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
    List<String> line = new ArrayList<>(List.of(keytool, "-genkeypair", "-alias", "server"));
    line.addAll(List.of("-keyalg", "RSA", "-dname", "CN=localhost"));
    line.addAll(List.of("-ext", "SAN=ip:127.0.0.1,dns:localhost", "-storetype", "PKCS12"));
    line.addAll(List.of("-keystore", keyStore().toString(), "-storepass", PASSWORD));
    Shell.run(line);
    KeyStore keys = KeyStore.getInstance(keyStore().toFile(), PASSWORD.toCharArray());
    byte[] certificate = keys.getCertificate("server").getEncoded();
    String begin = "-----BEGIN CERTIFICATE-----\n";
    String end = "\n-----END CERTIFICATE-----\n";
    Files.writeString(
        certificate(),
        begin + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(certificate) + end);
    giveToNode(keyStore());
    line = new ArrayList<>(List.of(keytool, "-importcert", "-noprompt", "-alias", "server"));
    line.addAll(List.of("-file", certificate().toString(), "-storetype", "PKCS12"));
    line.addAll(List.of("-keystore", trustStore().toString(), "-storepass", PASSWORD));
    Shell.run(line);
  }

  Path trustStore() {
    return home.resolve("trusted.p12");
  }

  /** Writes what TLS wants into a folder on the class path of daemons, clients or tasks. */
  void writeTls(Path conf) throws IOException {
    Files.createDirectories(conf);
    Path server = conf.resolve("ssl-server.xml");
    SiteFile.write(
        server,
        Map.of(
            "ssl.server.keystore.location",
            keyStore().toString(),
            "ssl.server.keystore.type",
            "pkcs12",
            "ssl.server.keystore.password",
            PASSWORD,
            "ssl.server.keystore.keypassword",
            PASSWORD));
    giveToNode(server);
    SiteFile.write(
        conf.resolve("ssl-client.xml"),
        Map.of(
            "ssl.client.truststore.location",
            trustStore().toString(),
            "ssl.client.truststore.type",
            "pkcs12",
            "ssl.client.truststore.password",
            PASSWORD));
  }

  /** Switches Kerberos and TLS on for all that a cluster serves. */
  ClusterSpec.Builder secure(ClusterSpec.Builder spec) {
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

  /** The password of its stores. */
  char[] password() {
    return PASSWORD.toCharArray();
  }

  @Override
  public void close() {
    kdc.stop();
    System.clearProperty(KRB5_CONF);
  }
}
