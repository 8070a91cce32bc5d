// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.s3a.doctor;

import io.temptier.tier.Finding;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.RemoteIterator;

/** Whether the bucket is there and these keys may list it. */
final class BucketCheck implements StoreCheck {
  @Override
  public Topic topic() {
    return Topic.BUCKET;
  }

  @Override
  public String question() {
    return "list the bucket";
  }

  @Override
  public boolean writes() {
    return false;
  }

  @Override
  public boolean decides() {
    return true;
  }

  @Override
  public List<Finding> check(Visit visit) throws IOException {
    RemoteIterator<FileStatus> names = visit.fs().listStatusIterator(visit.root());
    boolean unused = names.hasNext();
    return List.of();
  }
}
