// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.profile;

import io.temptier.s3a.UploadBufferDirCheck;
import io.temptier.tier.Immutable;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What is left out on purpose, and what else to know. */
final class Remarks {
  private Remarks() {}

  static List<Remark> of(ProfileRequest request, UploadBuffer buffer) {
    Map<String, String> remarks = new LinkedHashMap<>();
    remarks.put(
        "fs.s3a.access.key, fs.s3a.secret.key",
        "left out: secrets do not belong into a readable file. Put them into a credential store"
            + " (hadoop credential create) and name it in"
            + " hadoop.security.credential.provider.path.");
    if (!HadoopVersion.OF_SDK_2.containsAll(request.versions())) {
      remarks.put(
          "Hadoop " + HadoopVersion.V3_3_6,
          "which properties it reads, and their defaults, are from its jars; figures are of later"
              + " versions, read by the classic stream, which is the only one it has. Try the"
              + " result first.");
    }
    List<URI> endpoints = request.endpoints();
    if (endpoints.isEmpty()) {
      remarks.put(StoreSettings.ENDPOINT, "left out: no endpoint was given.");
    } else if (endpoints.size() > 1) {
      remarks.put(
          StoreSettings.ENDPOINT,
          "the first, for programs without TempTier's jars. They must leave "
              + SpreadSettings.FACTORY
              + " out; one DNS name with the addresses of "
              + endpoints.stream().map(URI::getHost).collect(Collectors.joining(", "))
              + " spreads their requests a little.");
    }
    remarks.put(
        "fs.s3a.fast.upload",
        "left out: obsolete. Every version here uploads while it is written; false only logs a"
            + " warning.");
    if (buffer == UploadBuffer.DISK) {
      remarks.put(
          UploadBufferDirCheck.BUFFER_DIR,
          "left at the container's local dirs: where TempTier's jars are on the class path of"
              + " containers, blocks lie on the fastest tier with room instead of on each dir"
              + " in turn.");
    }
    if (known(request, "fs.s3a.prefetch.enabled")
        && !ReadSettings.of(request.workload(), request.versions()).isEmpty()) {
      remarks.put(
          "fs.s3a.prefetch.enabled",
          String.format(
              "left out: deprecated. true overrides %s with the prefetch stream, which"
                  + " failed every run of random reads: take it out of your files.",
              ReadSettings.STREAM));
    }
    if (known(request, "fs.s3a.checksum.generation")) {
      remarks.put(
          "fs.s3a.checksum.generation",
          "left at false: with true uploads to Ceph 16.2 fail with 3.5.0. With 3.4.3 they pass"
              + " under the signer above, but no Ceph before 20.2 checks or keeps the"
              + " checksums.");
    }
    if (known(request, "fs.s3a.request.md5.header")) {
      remarks.put(
          "fs.s3a.request.md5.header",
          "left at true: what must carry a digest, such as a bulk delete, carries the one that"
              + " stores other than AWS ask for. Uploads do not.");
    }
    if (known(request, "fs.s3a.create.checksum.algorithm")) {
      remarks.put(
          "fs.s3a.create.checksum.algorithm",
          "left unset: under the signer above uploads pass with CRC32, CRC32C and SHA256, but no"
              + " Ceph before 20.2 checks or keeps them; under Hadoop's own signer they fail.");
    }
    if (known(request, "fs.s3a.performance.flags")) {
      remarks.put(
          "fs.s3a.performance.flags",
          "left unset: create saves two requests for each new file, but then two writers of a"
              + " file of several parts overwrite each other, since no Ceph before 20.2.1 heeds"
              + " the condition; mkdir saves two for each missing parent, but makes dirs below"
              + " files; delete and open do nothing in these versions.");
    }
    remarks.put(
        "fs.s3a.multipart.purge",
        "left at false: with true each process that opens the bucket aborts all uploads older"
            + " than fs.s3a.multipart.purge.age in it, those of running jobs too. A lifecycle"
            + " rule does it once.");
    remarks.put(
        "fs.s3a.change.detection.mode",
        "left at server: readers by the classic stream hear that an object was replaced, since"
            + " the gateway heeds the ETag that they ask for.");
    if (request.versions().contains(HadoopVersion.V3_5_0) && request.commits()) {
      remarks.put(
          "jackson-core",
          "Hadoop 3.5.0 brings jackson-databind 2.18.6: with an older jackson-core on the class"
              + " path committers fail with NoSuchMethodError BufferRecycler.");
    }
    if (request.commits()) {
      remarks.put(
          CommitterSettings.FACTORY,
          "belongs into mapred-site.xml, Spark's classes into spark-defaults.conf: see"
              + " conf-templates/mapred-site-s3a.xml and"
              + " conf-templates/spark-defaults-s3a.conf.");
    }
    return remarks.entrySet().stream()
        .map(each -> Remark.of(each.getKey(), each.getValue()))
        .collect(Immutable.toList());
  }

  private static boolean known(ProfileRequest request, String key) {
    return request.versions().stream().anyMatch(version -> version.knows(key));
  }
}
