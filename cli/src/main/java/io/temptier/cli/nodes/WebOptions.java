// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.nodes;

import io.temptier.cli.Terminal;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Mixin with how to reach web pages that want to know who asks, or that speak https. */
public final class WebOptions {
  @Option(
      names = "--negotiate",
      description =
          "Ask as a Kerberos user (SPNEGO): of the ticket cache that kinit fills, or of --keytab.")
  private boolean negotiate;

  @Option(
      names = "--principal",
      paramLabel = "NAME",
      description = "With --negotiate, the user whose key --keytab holds.")
  private @Nullable String principal;

  @Option(
      names = "--keytab",
      paramLabel = "FILE",
      description = "With --negotiate and --principal, a keytab in place of the ticket cache.")
  private @Nullable Path keytab;

  @Option(
      names = "--truststore",
      paramLabel = "FILE",
      description =
          "For https, the certificates to trust in place of Java's own: PEM, PKCS12 or JKS.")
  private @Nullable Path truststore;

  @Option(
      names = "--truststore-password-file",
      paramLabel = "FILE",
      description = "Holds the password of a PKCS12 or JKS truststore in its first line.")
  private @Nullable Path passwordFile;

  /**
   * The client that they describe, logged in. Ends the command when a file cannot be read, or there
   * is no ticket.
   */
  public WebClient client(Terminal terminal) {
    if (!negotiate && (principal != null || keytab != null)) {
      throw terminal.wrongUse("--principal and --keytab go with --negotiate.");
    }
    if ((principal == null) != (keytab == null)) {
      throw terminal.wrongUse("--principal and --keytab go together.");
    }
    if (truststore == null && passwordFile != null) {
      throw terminal.wrongUse("--truststore-password-file goes with --truststore.");
    }
    return new WebClient(
        Optional.ofNullable(truststore).map(file -> Truststore.read(file, passwordFile)),
        negotiate
            ? Optional.of(
                principal == null || keytab == null
                    ? KerberosLogin.ofTicketCache()
                    : KerberosLogin.ofKeytab(principal, keytab))
            : Optional.empty());
  }
}
