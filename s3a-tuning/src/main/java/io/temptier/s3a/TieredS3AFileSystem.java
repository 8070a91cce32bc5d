// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a;

import io.temptier.hadoop.allocator.TieredLocalDirAllocator;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.s3a.BlockFileSeam;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * S3A that keeps blocks, until they are uploaded, on the fastest tier with room: {@code
 * fs.s3a.impl=io.temptier.s3a.TieredS3AFileSystem}. Only {@code fs.s3a.fast.upload.buffer=disk} has
 * files to place; all else is Hadoop's S3A. On any doubt a block lies where Hadoop puts it.
 *
 * <p>The dirs are those of {@code fs.s3a.buffer.dir}. In a YARN container they are in the node's
 * tiers, as its NodeManager resolved them; elsewhere the kernel is asked. A block is claimed by its
 * largest size, and its claim ends when S3A deletes the file.
 */
public class TieredS3AFileSystem extends BlockFileSeam {
  private static final Logger LOG = LoggerFactory.getLogger(TieredS3AFileSystem.class);
  private static final String TMP_DIR = "hadoop.tmp.dir";
  private static final AtomicBoolean TOLD = new AtomicBoolean();

  private volatile @Nullable TieredLocalDirAllocator allocator;

  /** Creates the file system; Hadoop initializes it. */
  public TieredS3AFileSystem() {}

  @Override
  public void initialize(URI name, Configuration originalConf) throws IOException {
    super.initialize(name, originalConf);
    missing()
        .filter(why -> TOLD.compareAndSet(false, true))
        .ifPresent(why -> LOG.warn("S3A's upload buffers lie where Hadoop puts them: {}", why));
  }

  @Override
  protected File blockFile(String prefix, long bytes, Configuration conf) throws IOException {
    TieredLocalDirAllocator dirs = allocator(conf);
    Optional<File> placed = dirs.placeTemporary(prefix, bytes, conf);
    return placed.isPresent()
        ? new BlockFile(placed.get(), dirs)
        : stockBlockFile(prefix, bytes, conf);
  }

  private TieredLocalDirAllocator allocator(Configuration conf) {
    TieredLocalDirAllocator current = allocator;
    if (current == null) {
      // As S3AStoreImpl chooses. Two made at once share their state.
      boolean given = !conf.getTrimmed(UploadBufferDirCheck.BUFFER_DIR, "").isEmpty();
      current = new TieredLocalDirAllocator(given ? UploadBufferDirCheck.BUFFER_DIR : TMP_DIR);
      allocator = current;
    }
    return current;
  }

  /** Tells the allocator when it is deleted. */
  private static final class BlockFile extends File {
    private final transient TieredLocalDirAllocator dirs;

    BlockFile(File file, TieredLocalDirAllocator dirs) {
      super(file.getPath());
      this.dirs = dirs;
    }

    @Override
    public boolean delete() {
      // Before it is gone: its size is counted.
      dirs.settled(toPath());
      return super.delete();
    }
  }
}
