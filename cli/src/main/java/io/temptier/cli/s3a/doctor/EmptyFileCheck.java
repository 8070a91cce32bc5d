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
