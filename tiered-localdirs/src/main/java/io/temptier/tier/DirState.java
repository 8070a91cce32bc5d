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
 * One dir as placement sees it at one moment.
 *
 * @param dir the dir
 * @param headroomBytes bytes a new file may have: usable, less reserve and claims, within the cap;
 *     negative beyond the watermark
 * @param usableBytes bytes the file system would still take, whatever is reserved or claimed
 * @param refusal why the dir takes nothing at all now ({@link Reason#INODES}, {@link
 *     Reason#SET_ASIDE}) or which bound the headroom comes from ({@link Reason#FULL}, {@link
 *     Reason#CAP})
 * @param promisedBytes claimed in the dir by any process and not yet written: how busy its writers
 *     will keep it
 */
public record DirState(
    LocalDir dir, long headroomBytes, long usableBytes, Reason refusal, long promisedBytes) {
  /** A dir that nobody is writing to. */
  public DirState(LocalDir dir, long headroomBytes, long usableBytes, Reason refusal) {
    this(dir, headroomBytes, usableBytes, refusal, 0);
  }

  /** Whether a file of {@code bytes} fits now. Like stock, an exact fit is none. */
  public boolean holds(long bytes) {
    return headroomBytes > bytes;
  }
}
