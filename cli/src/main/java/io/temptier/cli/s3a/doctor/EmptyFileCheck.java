// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.s3a.doctor;

import io.temptier.tier.Finding;
import java.io.IOException;
import java.util.List;

/**
 * Whether an object of 0 bytes can be made, as mkdirs, empty files and committers do. Ceph's
 * gateway refuses it as S3A signs by default.
 */
final class EmptyFileCheck implements StoreCheck {
  @Override
  public Topic topic() {
    return Topic.WRITES;
  }

  @Override
  public String question() {
    return "make an empty file";
  }

  @Override
  public boolean decides() {
    return true;
  }

  @Override
  public List<Finding> check(Visit visit) throws IOException {
    visit.write(visit.fs(), visit.scratch("empty"), new byte[0]);
    return List.of();
  }
}
