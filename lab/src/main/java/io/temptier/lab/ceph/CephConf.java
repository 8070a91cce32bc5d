// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.ceph;

import java.util.List;
import java.util.UUID;

/** The {@code ceph.conf} of a testbed: one node on loopback, no replicas, small. */
final class CephConf {
  private static final long OSD_MEMORY_BYTES = 1L << 30;

  private CephConf() {}

  /**
   * Its text.
   *
   * @param monitorPort where the monitor listens
   * @param gatewayPorts where the gateways listen
   */
  static String text(
      CephHome home, CephSpec spec, UUID fsid, int monitorPort, List<Integer> gatewayPorts) {
    StringBuilder conf = new StringBuilder();
    conf.append(global(home, fsid, monitorPort)).append(daemons(home, spec));
    for (int i = 0; i < gatewayPorts.size(); i++) {
      conf.append(
          """
          [client.rgw.%d]
          rgw frontends = beast endpoint=127.0.0.1:%d tcp_nodelay=1
          """
              .formatted(i, gatewayPorts.get(i)));
    }
    return conf.toString();
  }

  /** Without "crc secure" gateways hang for minutes under auth none. */
  private static String global(CephHome home, UUID fsid, int monitorPort) {
    return """
    [global]
    fsid = %2$s
    mon host = v2:127.0.0.1:%3$d
    public addr = 127.0.0.1
    cluster addr = 127.0.0.1
    ms bind msgr1 = false
    ms mon client mode = crc secure
    client mount timeout = 30
    auth cluster required = none
    auth service required = none
    auth client required = none
    keyring = %4$s
    run dir = %1$s/run
    pid file = %1$s/run/$name.pid
    admin socket =
    log file = %1$s/log/$name.log
    crash dir = %1$s/log
    osd pool default size = 1
    osd pool default min size = 1
    osd pool default pg num = 8
    osd pool default pgp num = 8
    osd pool default pg autoscale mode = off
    osd crush chooseleaf type = 0
    osd crush initial weight = 1
    mon allow pool size one = true
    mon warn on pool no redundancy = false
    mon warn on insecure global id reclaim allowed = false
    auth allow insecure global id reclaim = false
    mon max pg per osd = 1000
    mon data avail warn = 1
    mon data avail crit = 1
    """
        .formatted(home.path(), fsid, monitorPort, home.keyring());
  }

  /** What is overwritten or deleted goes after a minute, or the OSDs grow by each of it. */
  private static String daemons(CephHome home, CephSpec spec) {
    return """
    [mon]
    mon data = %1$s/$name
    mon cluster log file = %1$s/log/cluster.log
    [osd]
    osd data = %1$s/$name
    osd objectstore = bluestore
    bluestore block size = %2$d
    bluestore fsck on mount = false
    crush location = host=local root=default
    osd memory target = %3$d
    osd class update on start = false
    osd numa auto affinity = false
    osd max object name len = 2048
    [client]
    rgw init timeout = 60
    rgw data = %1$s/$name
    rgw run sync thread = false
    rgw enable usage log = false
    rgw thread pool size = 64
    rgw max concurrent requests = 256
    rgw dynamic resharding = false
    rgw rados pool pg num min = 8
    rgw gc obj min wait = 60
    rgw gc processor period = 60
    """
        .formatted(home.path(), spec.osdBytes(), OSD_MEMORY_BYTES);
  }
}
