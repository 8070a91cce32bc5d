/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
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
