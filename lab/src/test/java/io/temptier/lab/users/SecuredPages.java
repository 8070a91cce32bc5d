// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.users;

import io.temptier.lab.cluster.WebPages;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivilegedExceptionAction;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authentication.client.AuthenticatedURL;
import org.apache.hadoop.security.authentication.client.AuthenticationException;
import org.apache.hadoop.security.authentication.client.KerberosAuthenticator;

/** Pages by https, asked as a user of a realm. Logs this JVM's Hadoop in until it is closed. */
final class SecuredPages implements WebPages, AutoCloseable {

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
    trust.init(KeyStore.getInstance(realm.trustStore().toFile(), realm.password()));
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
