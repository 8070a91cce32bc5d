// SPDX-License-Identifier: Apache-2.0
package io.temptier.mapreduce;

import io.temptier.hadoop.allocator.TieredLocalDirAllocator;
import io.temptier.tier.Placement;
import io.temptier.tier.PlacementListener;
import io.temptier.tier.PlacementRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.MRConfig;
import org.jspecify.annotations.Nullable;

/**
 * The allocator of one task. It keeps the list of files the task is writing, says when they are
 * complete, and counts them with their real sizes.
 *
 * <p>A JVM may run several tasks at once (local job runner) or one after the other (uber jobs), and
 * their paths do not always tell them apart. What belongs to a task is what went through its own
 * instance: placements are announced on the writer's thread, so each call catches its own.
 *
 * <p>Safe for use by many threads: a task spills, fetches and merges on several.
 */
final class TaskAllocator extends TieredLocalDirAllocator {
  private static final String OUTPUT = "file.out";
  private static final String INDEX = OUTPUT + ".index";
  private static final String MERGED = ".merged";
  private static final ThreadLocal<Caught> CATCHING = new ThreadLocal<>();

  static {
    addListener(
        new PlacementListener() {
          @Override
          public void placed(PlacementRequest request, Placement placement) {
            Caught caught = CATCHING.get();
            if (caught != null) {
              caught.request = request;
              caught.placement = placement;
            }
          }
        });
  }

  private final TaskTally tally;
  private final boolean indexBesideOutput;
  private final Map<java.nio.file.Path, Open> open = new LinkedHashMap<>();
  private boolean finished;
  private @Nullable Path mapOutput;
  private java.nio.file.@Nullable Path lastIntermediate;

  /**
   * An allocator over the dirs of {@value MRConfig#LOCAL_DIR}.
   *
   * @param tally where files are counted once they are complete
   * @param indexBesideOutput whether the index of a map output must lie in the output's own dir:
   *     the local job runner looks for it nowhere else
   */
  TaskAllocator(TaskTally tally, boolean indexBesideOutput) {
    super(MRConfig.LOCAL_DIR);
    this.tally = tally;
    this.indexBesideOutput = indexBesideOutput;
  }

  @Override
  public Path getLocalPathForWrite(String path, long size, Configuration conf, boolean checkWrite)
      throws IOException {
    Path output = mapOutput();
    if (indexBesideOutput && output != null && path.endsWith(INDEX)) {
      return new Path(output.getParent(), INDEX);
    }
    Caught caught = new Caught();
    Caught outer = CATCHING.get();
    CATCHING.set(caught);
    try {
      Path file = super.getLocalPathForWrite(path, size, conf, checkWrite);
      placed(file, caught);
      return file;
    } finally {
      if (outer == null) {
        CATCHING.remove();
      } else {
        CATCHING.set(outer);
      }
    }
  }

  /**
   * As {@link #getLocalPathForWrite(String, long, Configuration, boolean)}, for the output of one
   * pass of {@code Merger}. Passes follow each other, so the output of the one before is complete.
   */
  Path intermediateForWrite(String path, long size, Configuration conf, boolean checkWrite)
      throws IOException {
    java.nio.file.Path previous;
    synchronized (open) {
      previous = lastIntermediate;
      lastIntermediate = null;
    }
    if (previous != null) {
      settled(previous);
    }
    Path file = getLocalPathForWrite(path, size, conf, checkWrite);
    synchronized (open) {
      lastIntermediate = local(file);
    }
    return file;
  }

  @Override
  public Path getLocalPathToRead(String path, Configuration conf) throws IOException {
    Path file = super.getLocalPathToRead(path, conf);
    count(local(file));
    return file;
  }

  @Override
  public void settled(java.nio.file.Path file) {
    count(file);
    super.settled(file);
  }

  /** Says that every file is complete. What is placed from now on is not counted. */
  void finish() {
    List<java.nio.file.Path> left;
    synchronized (open) {
      finished = true;
      left = new ArrayList<>(open.keySet());
    }
    for (java.nio.file.Path file : left) {
      java.nio.file.Path merged = file.resolveSibling(file.getFileName() + MERGED);
      settled(Files.exists(file) || !Files.exists(merged) ? file : merged);
    }
  }

  private void placed(Path file, Caught caught) {
    PlacementRequest request = caught.request;
    Placement placement = caught.placement;
    if (request == null || placement == null) {
      return; // stock placement: nothing to settle, nothing to count
    }
    Open replaced;
    synchronized (open) {
      if (file.getName().equals(OUTPUT)) {
        mapOutput = file;
      }
      replaced = finished ? null : open.put(local(file), new Open(request, placement));
    }
    if (replaced != null) {
      tally.add(replaced.placement, replaced.expectedBytes());
    }
  }

  /** Counts a file under the path it was given, with the size it has under the path it got. */
  private void count(java.nio.file.Path file) {
    Open done;
    synchronized (open) {
      done = open.remove(file);
      String name = file.getFileName().toString();
      if (done == null && name.endsWith(MERGED)) {
        String given = name.substring(0, name.length() - MERGED.length());
        done = open.remove(file.resolveSibling(given));
      }
    }
    if (done != null) {
      long bytes;
      try {
        bytes = Files.size(file);
      } catch (IOException e) {
        bytes = done.expectedBytes();
      }
      tally.add(done.placement, bytes);
    }
  }

  private @Nullable Path mapOutput() {
    synchronized (open) {
      return mapOutput;
    }
  }

  private static java.nio.file.Path local(Path file) {
    return java.nio.file.Path.of(file.toUri().getPath());
  }

  /** A file being written. */
  private record Open(PlacementRequest request, Placement placement) {
    /** What to count when the file was deleted before anybody said it was complete. */
    long expectedBytes() {
      return request.sizeKnown() ? request.bytes() : 0;
    }
  }

  /** What the listener heard during one call. */
  private static final class Caught {
    private @Nullable PlacementRequest request;
    private @Nullable Placement placement;
  }
}
