// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.ceph;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathIsNotEmptyDirectoryException;
import org.junit.jupiter.api.Test;

/** What becomes of files and folders that are overwritten, renamed, deleted, made, listed. */
interface NameContract extends ContractFolder {
  @Test
  default void aFileIsOverwrittenOnlyWhenAsked() throws IOException {
    Path file = file("file", part(0, 100));
    assertThrows(FileAlreadyExistsException.class, () -> fs().create(file, false).close());
    assertArrayEquals(part(0, 100), read(file));
    file("file", part(100, 50));
    assertArrayEquals(part(100, 50), read(file));
  }

  @Test
  default void aFolderIsNotOverwritten() throws IOException {
    file("folder/child", part(0, 1));
    Path folder = path("folder");
    assertThrows(FileAlreadyExistsException.class, () -> fs().create(folder, true).close());
    assertTrue(fs().exists(new Path(folder, "child")));
  }

  @Test
  default void deletesTakeWhatTheyAreToldTo() throws IOException {
    assertFalse(fs().delete(path("none"), true));
    for (int i = 0; i < 12; i++) {
      file("folder/sub" + i % 2 + "/file" + i, part(i, 1));
    }
    Path folder = path("folder");
    assertThrows(PathIsNotEmptyDirectoryException.class, () -> fs().delete(folder, false));
    assertTrue(fs().delete(new Path(folder, "sub0/file0"), false));
    assertEquals(11, files(folder).size());
    assertTrue(fs().delete(folder, true));
    assertFalse(fs().exists(folder));
    assertTrue(fs().exists(base()), "its parent stays");
  }

  @Test
  default void renamesMoveFilesAndFolders() throws IOException {
    Path file = file("file", data());
    Path moved = path("moved");
    assertTrue(fs().rename(file, moved));
    assertFalse(fs().exists(file));
    assertArrayEquals(data(), read(moved));
    for (int i = 0; i < 7; i++) {
      file("folder/file" + i, part(i, 2));
    }
    // S3A lets a folder take the place of an empty one.
    Path target = path("target");
    fs().mkdirs(target);
    assertTrue(fs().rename(path("folder"), target));
    assertEquals(7, files(target).size());
    assertArrayEquals(part(3, 2), read(new Path(target, "file3")));
    assertFalse(fs().exists(path("folder")));
    assertTrue(fs().rename(moved, target));
    assertArrayEquals(data(), read(new Path(target, "moved")));
  }

  @Test
  default void renamesOverwriteNothingAndNeedTheirSource() throws IOException {
    Path one = file("one", part(0, 10));
    Path two = file("two", part(10, 10));
    assertFalse(renamed(one, two));
    assertArrayEquals(part(0, 10), read(one));
    assertArrayEquals(part(10, 10), read(two));
    assertFalse(renamed(path("none"), path("new")));
    assertFalse(fs().exists(path("new")));
  }

  /** Both ways to say no are allowed. */
  private boolean renamed(Path from, Path to) throws IOException {
    try {
      return fs().rename(from, to);
    } catch (FileNotFoundException | FileAlreadyExistsException e) {
      return false;
    }
  }

  @Test
  default void foldersAreMadeWithTheirParents() throws IOException {
    Path deep = path("a/b/c");
    assertTrue(fs().mkdirs(deep));
    assertTrue(fs().mkdirs(deep), "again");
    assertTrue(fs().getFileStatus(deep).isDirectory());
    assertTrue(fs().getFileStatus(path("a")).isDirectory());
    assertEquals(0, fs().listStatus(deep).length);
    Path file = file("file", part(0, 1));
    assertThrows(IOException.class, () -> fs().mkdirs(file));
    assertThrows(IOException.class, () -> fs().mkdirs(new Path(file, "below")));
    assertTrue(fs().getFileStatus(file).isFile());
  }

  @Test
  default void listsAreWholeOverPages() throws IOException {
    List<String> expected = new ArrayList<>();
    for (int i = 10; i < 33; i++) {
      expected.add(file("list/file" + i, new byte[0]).getName());
    }
    List<String> listed = new ArrayList<>();
    for (FileStatus status : fs().listStatus(path("list"))) {
      listed.add(status.getPath().getName());
    }
    assertEquals(expected, listed);
    assertEquals(expected.size(), files(base()).size());
    assertThrows(FileNotFoundException.class, () -> fs().listStatus(path("none")));
  }
}
