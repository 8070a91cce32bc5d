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
package io.temptier.bench.ceph;

/**
 * A user of the gateways.
 *
 * @param user its name
 * @param accessKey what requests are signed as
 * @param secretKey what they are signed with
 */
public record S3Account(String user, String accessKey, String secretKey) {
  /** Without the secret. */
  @Override
  public String toString() {
    return user + " (" + accessKey + ")";
  }
}
