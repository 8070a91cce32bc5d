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
package io.temptier.shuffle.demotion;

import io.temptier.shuffle.MapOutputId;
import io.temptier.tier.LocalDir;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Finds the map outputs of running applications in a dir. Follows no links below the dir. */
final class OutputScanner {
  /** A link in the file's place takes an inode, and a block for a path of usual length. */
  static final long SMALLEST_BYTES = 16 << 10;

  private static final String ATTEMPT = "attempt_";

  private final FetchedShare fetched;
  private final int ownUid;

  /**
   * A scanner.
   *
   * @param fetched tells how far an output was fetched
   * @param ownUid whose files can be moved
   */
  OutputScanner(FetchedShare fetched, int ownUid) {
    this.fetched = fetched;
    this.ownUid = ownUid;
  }

  /**
   * What a scan found.
   *
   * @param candidates what can be moved if it is complete, in no order
   * @param foreign a folder of outputs that belongs to another user, if there is one
   */
  record Found(List<Candidate> candidates, List<Path> foreign) {}

  /** The folder of an application's outputs in a dir. */
  static Path outputs(LocalDir dir, String user, String application) {
    return application(dir, user, application).resolve("output");
  }

  /** The folder of an application in a dir. */
  static Path application(LocalDir dir, String user, String application) {
    return dir.path().resolve(Path.of("usercache", user, "appcache", application));
  }

  /**
   * Looks through a dir.
   *
   * @param running users by application id
   * @throws IOException when the dir cannot be read
   */
  Found scan(LocalDir dir, Map<String, String> running) throws IOException {
    Found found = new Found(new ArrayList<>(), new ArrayList<>());
    for (Map.Entry<String, String> entry : running.entrySet()) {
      for (Path folder : attempts(dir, entry.getValue(), entry.getKey())) {
        look(
            new MapOutputId(entry.getValue(), entry.getKey(), String.valueOf(folder.getFileName())),
            dir,
            folder,
            found);
      }
    }
    return found;
  }

  /** The folders of an application's attempts in a dir. */
  static List<Path> attempts(LocalDir dir, String user, String application) throws IOException {
    List<Path> attempts = new ArrayList<>();
    Path outputs = outputs(dir, user, application);
    try {
      if (FileStamp.find(outputs).filter(FileStamp::directory).isEmpty()) {
        return attempts;
      }
      try (DirectoryStream<Path> folders =
          Files.newDirectoryStream(
              outputs, path -> String.valueOf(path.getFileName()).startsWith(ATTEMPT))) {
        folders.forEach(attempts::add);
      }
    } catch (NoSuchFileException | NotDirectoryException e) {
      return attempts;
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return attempts;
  }

  private void look(MapOutputId id, LocalDir dir, Path folder, Found found) throws IOException {
    Optional<FileStamp> data = FileStamp.find(folder.resolve(MapOutputId.DATA));
    Optional<FileStamp> parent = FileStamp.find(folder);
    if (data.isEmpty() || parent.isEmpty() || !parent.get().directory()) {
      // It has no output, or is being deleted.
      return;
    }
    FileStamp file = data.get();
    if (!file.regular() || file.bytes() < SMALLEST_BYTES || file.links() != 1) {
      return;
    }
    if (parent.get().uid() != ownUid || file.uid() != ownUid) {
      found.foreign().add(folder);
      return;
    }
    found.candidates().add(new Candidate(id, dir, file, fetched.fraction(id)));
  }
}
