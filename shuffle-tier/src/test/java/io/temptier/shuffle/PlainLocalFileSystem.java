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
package io.temptier.shuffle;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.permission.FsPermission;

/**
 * Hadoop's local file system without its chmod, which is a process of its own per file where
 * libhadoop is missing.
 */
public final class PlainLocalFileSystem extends LocalFileSystem {
  /** Used by Hadoop, by reflection. */
  public PlainLocalFileSystem() {
    super(new Raw());
  }

  /** Makes every "file:" of these settings one of this class. */
  static <C extends Configuration> C use(C conf) {
    conf.setBoolean("fs.file.impl.disable.cache", true);
    conf.setClass("fs.file.impl", PlainLocalFileSystem.class, LocalFileSystem.class);
    return conf;
  }

  private static final class Raw extends RawLocalFileSystem {
    @Override
    public void setPermission(Path file, FsPermission permission) {}
  }
}
