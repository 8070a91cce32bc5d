// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.ceph;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.SecureRandom;
import java.util.Base64;

/** The keyring of a testbed, with new keys, as {@code ceph-authtool --gen-key} makes them. */
final class CephKeyring {
  private static final short AES = 1;
  private static final short KEY_BYTES = 16;
  private static final int HEADER_BYTES = 12;

  private final SecureRandom random = new SecureRandom();
  private final StringBuilder text = new StringBuilder();

  private CephKeyring() {}

  static String text(CephSpec spec) {
    CephKeyring ring = new CephKeyring();
    ring.add("mon.", "mon", "allow *");
    ring.add("client.admin", "mon", "allow *", "osd", "allow *", "mgr", "allow *");
    for (int i = 0; i < spec.osds(); i++) {
      ring.add(
          "osd." + i, "mon", "allow profile osd", "mgr", "allow profile osd", "osd", "allow *");
    }
    for (int i = 0; i < spec.gateways(); i++) {
      ring.add("client.rgw." + i, "mon", "allow rw", "osd", "allow rwx", "mgr", "allow rw");
    }
    return ring.text.toString();
  }

  private void add(String name, String... capabilities) {
    text.append("[").append(name).append("]\n\tkey = ").append(key()).append("\n");
    for (int i = 0; i < capabilities.length; i += 2) {
      text.append("\tcaps ")
          .append(capabilities[i])
          .append(" = \"")
          .append(capabilities[i + 1])
          .append("\"\n");
    }
  }

  /** Type, when it was made in seconds and nanoseconds (never, here), length, and the key. */
  private String key() {
    byte[] secret = new byte[KEY_BYTES];
    random.nextBytes(secret);
    ByteBuffer key = ByteBuffer.allocate(HEADER_BYTES + KEY_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    key.putShort(AES).putInt(0).putInt(0).putShort(KEY_BYTES).put(secret);
    return Base64.getEncoder().encodeToString(key.array());
  }
}
