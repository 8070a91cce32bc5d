// SPDX-License-Identifier: Apache-2.0
package io.temptier.mapreduce;

import io.temptier.hadoop.allocator.TieredLocalDirAllocator;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.apache.hadoop.fs.LocalDirAllocator;
import org.apache.hadoop.mapreduce.MRConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Exchanges the allocator inside Hadoop's objects, whose fields for it are private: of the classes
 * of {@code MapOutputFile}, of a task, and of {@code Merger}.
 *
 * <p>Only plain {@link LocalDirAllocator}s over {@value MRConfig#LOCAL_DIR} are exchanged. One of
 * another class is somebody's decision, one over another key is about other dirs; both stay. What
 * cannot be exchanged is logged once per JVM and stays as it was.
 */
final class AllocatorSwap {
  private static final Logger LOG = LoggerFactory.getLogger(AllocatorSwap.class);
  private static final Set<String> LOGGED = ConcurrentHashMap.newKeySet();

  private AllocatorSwap() {}

  /**
   * Exchanges the allocators in the instance fields of {@code holder}, inherited ones included.
   *
   * @return whether at least one field holds {@code ours} now
   */
  static boolean intoInstance(Object holder, LocalDirAllocator ours) {
    boolean swapped = false;
    for (Field field : fields(holder.getClass(), false)) {
      swapped |= swap(field, holder, stock -> ours).isPresent();
    }
    if (!swapped) {
      stayStock(holder.getClass(), "it has no field with a plain LocalDirAllocator over " + key());
    }
    return swapped;
  }

  /**
   * Exchanges the allocator in the static field of a class.
   *
   * @param ours makes the new one of the present one; may return its argument
   * @return the allocator that is in the field now, or empty when there is no such field
   */
  static Optional<LocalDirAllocator> intoClass(
      Class<?> holder, UnaryOperator<LocalDirAllocator> ours) {
    for (Field field : fields(holder, true)) {
      Optional<LocalDirAllocator> swapped = swap(field, null, ours);
      if (swapped.isPresent()) {
        return swapped;
      }
    }
    stayStock(holder, "it has no static field with a plain LocalDirAllocator over " + key());
    return Optional.empty();
  }

  private static Optional<LocalDirAllocator> swap(
      Field field,
      @org.jspecify.annotations.Nullable Object holder,
      UnaryOperator<LocalDirAllocator> ours) {
    try {
      field.setAccessible(true);
      if (!(field.get(holder) instanceof LocalDirAllocator present) || !replaceable(present)) {
        return Optional.empty();
      }
      LocalDirAllocator replacement = ours.apply(present);
      if (replacement != present) {
        field.set(holder, replacement);
      }
      return Optional.of(replacement);
    } catch (ReflectiveOperationException | RuntimeException e) {
      stayStock(field.getDeclaringClass(), "its field " + field.getName() + " is closed: " + e);
      return Optional.empty();
    }
  }

  private static boolean replaceable(LocalDirAllocator present)
      throws ReflectiveOperationException {
    if (present instanceof TieredLocalDirAllocator || present instanceof MergerAllocator) {
      return true;
    }
    if (present.getClass() != LocalDirAllocator.class) {
      return false;
    }
    Field context = LocalDirAllocator.class.getDeclaredField("contextCfgItemName");
    context.setAccessible(true);
    return key().equals(context.get(present));
  }

  private static List<Field> fields(Class<?> type, boolean wantStatic) {
    List<Field> found = new ArrayList<>();
    for (Class<?> c = type; c != null; c = c.getSuperclass()) {
      for (Field field : c.getDeclaredFields()) {
        if (field.getType() == LocalDirAllocator.class
            && Modifier.isStatic(field.getModifiers()) == wantStatic) {
          found.add(field);
        }
      }
    }
    return found;
  }

  private static void stayStock(Class<?> holder, String why) {
    if (LOGGED.add(holder.getName() + why)) {
      LOG.warn(
          "The files of {} are placed as stock Hadoop does: {}. Use a TempTier release that knows"
              + " this Hadoop version, or let the class extend Hadoop's own.",
          holder.getName(),
          why);
    }
  }

  private static String key() {
    return MRConfig.LOCAL_DIR;
  }
}
