// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.users;

import static java.nio.file.attribute.PosixFilePermissions.fromString;

import io.temptier.fixtures.Accounts;
import io.temptier.fixtures.SelfSigned;
import io.temptier.lab.cluster.ClusterSpec;
import io.temptier.lab.cluster.HadoopRuntime;
import io.temptier.lab.cluster.TlsFiles;
import io.temptier.lab.cluster.WebPages;
import io.temptier.lab.process.JavaCommand;
import io.temptier.lab.process.Shell;
import io.temptier.lab.testbed.Folders;
import io.temptier.lab.testbed.Opened;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.minikdc.MiniKdc;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authentication.client.AuthenticatedURL;
import org.apache.hadoop.security.authentication.client.AuthenticationException;
import org.apache.hadoop.security.authentication.client.KerberosAuthenticator;
import org.jspecify.annotations.Nullable;

/**
 * What a cluster needs whose NodeManager is no root and whose tasks run as their users: accounts, a
 * container executor, and a home with jars that all of them can read. Programs that write to {@code
 * /users/NAME/...} are submitted by that user.
 */
final class SecureNode implements AutoCloseable {
  private static final String NODE_MANAGER =
      "org.apache.hadoop.yarn.server.nodemanager.NodeManager";

  /** Environment variable: the folder of Hadoop's native library. */
  private static final String NATIVE = "TEMPTIER_HADOOP_NATIVE";

  private static final Pattern OUTPUT = Pattern.compile("/users/([^/]+)/.*");
  private static final int LEAST_UID = 1000;
  private static final String RECOVERY = "recovery";

  final Accounts accounts;
  final Path home;
  final ExecutorBinary executor;
  final String nodeUser;
  final String ann;
  final String bob;
  private final HadoopRuntime runtime;
  private @Nullable Realm realm;
  private @Nullable SecuredPages pages;

  private SecureNode(Accounts accounts, Path home) throws IOException {
    this.accounts = accounts;
    this.home = home;
    Optional<ExecutorBinary> hadoops = ExecutorBinary.hadoops();
    String group = hadoops.isPresent() ? hadoops.get().group() : accounts.group("node");
    this.nodeUser = accounts.user("yarn", group);
    this.ann = accounts.user("ann", "");
    this.bob = accounts.user("bob", "");
    this.executor =
        hadoops.isPresent()
            ? hadoops.get()
            : ExecutorBinary.standIn(home.resolve("executor"), group, LEAST_UID, "daemon");
    this.runtime = HadoopRuntime.locate().copiedTo(home);
    System.out.println("Container executor: " + executor.path());
  }

  static SecureNode create() throws IOException {
    Accounts accounts = new Accounts();
    Path home = Files.createTempDirectory(Path.of("/var/tmp"), "temptier-users-");
    Files.setPosixFilePermissions(home, fromString("rwxr-xr-x"));
    return Opened.make(
        opened -> {
          opened.push(() -> Folders.delete(home));
          opened.push(accounts::close);
          SecureNode node = new SecureNode(accounts, home);
          // She can run Java.
          Shell.run(Accounts.as(node.ann, List.of(JavaCommand.program(), "-version")));
          return node;
        });
  }

  /** Has its clusters use Kerberos and TLS. */
  void secure() throws Exception {
    Realm made = Realm.start(home.resolve("realm"), executor.group(), ann, bob);
    realm = made;
    pages = new SecuredPages(made);
  }

  Realm realm() {
    return Objects.requireNonNull(realm);
  }

  /** Whether Hadoop's native library is there; without it stock serves nothing under Kerberos. */
  static boolean hasNative() {
    return System.getenv(NATIVE) != null;
  }

  /** A spec whose node runs containers as their users. */
  ClusterSpec spec() throws IOException {
    Path cluster = Files.createDirectories(home.resolve("cluster"));
    Files.createDirectories(cluster.resolve("tmp"));
    Files.setPosixFilePermissions(cluster.resolve("tmp"), fromString("rwxrwxrwx"));
    for (String folder : List.of("node-0", "logs/containers-0", RECOVERY)) {
      if (!Files.exists(cluster.resolve(folder))) {
        Accounts.give(cluster.resolve(folder), nodeUser);
      }
    }
    // First, as a realm adds an option to those of Java.
    ClusterSpec spec = executor.runContainers(new ClusterSpec(runtime, cluster).shortTasks());
    if (realm != null && pages != null) {
      for (String conf : List.of("conf", "node-0/conf")) {
        realm.writeTls(cluster.resolve(conf));
      }
      realm.secure(spec).pages(pages);
    }
    return spec.nodeMemoryMiB(3072)
        .launcher(this::launched)
        .yarn("yarn.nodemanager.recovery.enabled", "true")
        .yarn("yarn.nodemanager.recovery.dir", cluster.resolve(RECOVERY).toString())
        .yarn("yarn.nodemanager.linux-container-executor.nonsecure-mode.limit-users", "false");
  }

  private List<String> launched(List<String> line) {
    try {
      List<String> java = realm == null ? new ArrayList<>(line) : realm.found(line);
      if (line.contains(NODE_MANAGER)) {
        if (hasNative()) {
          java.add(1, "-Djava.library.path=" + System.getenv(NATIVE));
        }
        return Accounts.as(nodeUser, java);
      }
      Matcher output = OUTPUT.matcher(line.get(line.size() - 1));
      String user = output.matches() ? output.group(1) : "";
      List<String> as = List.of();
      if (realm != null) {
        as = realm.environment(user.isEmpty() ? Realm.SUPERUSER : user);
      } else if (!user.isEmpty()) {
        as = List.of("HADOOP_USER_NAME=" + user);
      }
      return Shell.line("env", as, java);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() throws IOException {
    try {
      if (pages != null) {
        pages.close();
      }
      if (realm != null) {
        realm.close();
      }
      accounts.close();
    } finally {
      Folders.delete(home);
    }
  }

  /** Pages by https, asked as a user of a realm. Logs this JVM's Hadoop in until it is closed. */
  private static final class SecuredPages implements WebPages, AutoCloseable {

    private final UserGroupInformation user;
    private final SSLSocketFactory sockets;

    SecuredPages(Realm realm) throws IOException, GeneralSecurityException {
      Configuration conf = new Configuration();
      conf.set("hadoop.security.authentication", "kerberos");
      UserGroupInformation.setConfiguration(conf);
      user =
          UserGroupInformation.loginUserFromKeytabAndReturnUGI(
              realm.principal(Realm.SUPERUSER), realm.keytab(Realm.SUPERUSER).toString());
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(
          KeyStore.getInstance(realm.trustStore().toFile(), SelfSigned.PASSWORD.toCharArray()));
      SSLContext tls = SSLContext.getInstance("TLS");
      tls.init(null, trust.getTrustManagers(), null);
      sockets = tls.getSocketFactory();
    }

    @Override
    public String scheme() {
      return "https";
    }

    @Override
    public InputStream open(String url) throws IOException {
      try {
        return user.doAs((PrivilegedExceptionAction<InputStream>) () -> openHere(url));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted while asking " + url, e);
      }
    }

    private InputStream openHere(String url) throws IOException {
      AuthenticatedURL opener = new AuthenticatedURL(new KerberosAuthenticator(), this::prepared);
      try {
        HttpURLConnection connection =
            opener.openConnection(URI.create(url).toURL(), new AuthenticatedURL.Token());
        if (connection.getResponseCode() != HttpURLConnection.HTTP_OK) {
          throw new IOException(url + " answered status " + connection.getResponseCode());
        }
        return connection.getInputStream();
      } catch (AuthenticationException e) {
        throw new IOException(url + " does not let us in", e);
      }
    }

    private HttpURLConnection prepared(HttpURLConnection connection) {
      ((HttpsURLConnection) connection).setSSLSocketFactory(sockets);
      connection.setConnectTimeout(TIMEOUT_MILLIS);
      connection.setReadTimeout(TIMEOUT_MILLIS);
      connection.setRequestProperty("Accept", "application/json, */*");
      return connection;
    }

    @Override
    public void close() {
      UserGroupInformation.reset();
      UserGroupInformation.setConfiguration(new Configuration());
    }
  }

  /**
   * A Kerberos realm with a KDC in this JVM, keytabs for the daemons and users of a cluster, and a
   * certificate for their pages and for shuffle. One at a time in a JVM, as Java's own settings
   * name it.
   */
  static final class Realm implements Closeable {
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
          .mapred("mapreduce.jobhistory.principal", daemon("jhs"))
          .mapred("mapreduce.jobhistory.keytab", keytab("jhs").toString())
          .mapred("mapreduce.jobhistory.webapp.spnego-principal", web)
          .mapred("mapreduce.jobhistory.webapp.spnego-keytab-file", http)
          .mapred("mapreduce.jobhistory.http.policy", "HTTPS_ONLY")
          .mapred("mapreduce.shuffle.ssl.enabled", "true")
          .userJavaOption(option());
    }

    @Override
    public void close() {
      kdc.stop();
      System.clearProperty(KRB5_CONF);
    }
  }
}
