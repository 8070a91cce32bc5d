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
package io.temptier.tier;

/**
 * What a file system reports of itself.
 *
 * @param totalBytes its size
 * @param usableBytes what an ordinary user may still write
 * @param totalInodes inodes it was made with; 0 when it makes them as needed or does not say
 * @param freeInodes inodes left
 */
public record Capacity(long totalBytes, long usableBytes, long totalInodes, long freeInodes) {
  /** Whether no file can be made, however many bytes there are. */
  boolean inodesGone() {
    return totalInodes > 0 && freeInodes <= 0;
  }
}
