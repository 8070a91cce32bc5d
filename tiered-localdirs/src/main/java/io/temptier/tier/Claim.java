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

import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;

/**
 * Bytes promised to one file that is being written: a file in the claims folder whose name says how
 * many were promised and whose (sparse) length says how many of them are written already. Not safe
 * for use by several threads at once.
 */
final class Claim {
  private final File file;
  private final long bytes;
  private long writtenBytes;

  Claim(File file, long bytes) {
    this.file = file;
    this.bytes = bytes;
  }

  /** Bytes promised in all. */
  long bytes() {
    return bytes;
  }

  /** Bytes promised and not yet written. */
  long outstandingBytes() {
    return bytes - writtenBytes;
  }

  /** Tells every process how much of the promise is used up; never takes a byte back. */
  void written(long soFar) throws IOException {
    long length = Math.min(soFar, bytes);
    if (length > writtenBytes) {
      // The file is this process's own in a sticky folder, so nobody can have put a link in its
      // place.
      try (RandomAccessFile claim = new RandomAccessFile(file, "rw")) {
        claim.setLength(length);
      }
      writtenBytes = length;
    }
  }

  /** Renews the lease, for processes that cannot see this one's pid. */
  void renew(long nowMillis) {
    file.setLastModified(nowMillis);
  }

  /** Gives up what is left of the promise. */
  void release() {
    file.delete();
  }

  @Override
  public String toString() {
    return file.getPath();
  }
}
