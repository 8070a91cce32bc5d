// SPDX-License-Identifier: Apache-2.0
package io.temptier.spark;

import java.io.File;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import org.apache.spark.storage.BlockId;
import org.apache.spark.storage.BlockManager;
import org.apache.spark.storage.DiskBlockManager;
import org.apache.spark.storage.DiskStore;
import org.objenesis.ObjenesisStd;
import scala.Function1;
import scala.Tuple2;

/**
 * The one place where TempTier reaches into Spark: exchanges the two objects by which a block
 * manager names files. Nobody else holds them for longer than a task.
 *
 * <p>TempTier's objects are made without a constructor and share everything with Spark's: the local
 * dirs and their locks, what is known of blocks, the shutdown hook. So nothing is made twice, and
 * what others registered stays valid.
 */
final class BlockManagerSeam {
  private final BlockManager blockManager;
  private final Field managerField;
  private final Field storeField;
  private final Field storeManagerField;

  /** Throws, an Error too, when this Spark is not built as expected; nothing is changed then. */
  BlockManagerSeam(BlockManager blockManager) throws ReflectiveOperationException {
    this.blockManager = blockManager;
    managerField = field(BlockManager.class, "diskBlockManager", DiskBlockManager.class);
    storeField = field(BlockManager.class, "diskStore", DiskStore.class);
    storeManagerField = field(DiskStore.class, "diskManager", DiskBlockManager.class);
    // Were one missing or another, a task would find out in the middle of its work.
    require(DiskBlockManager.class, File.class, "getFile", String.class);
    require(DiskBlockManager.class, File.class, "createTempFileWith", File.class);
    require(DiskBlockManager.class, Tuple2.class, "createTempLocalBlock");
    require(DiskBlockManager.class, Tuple2.class, "createTempShuffleBlock");
    require(DiskBlockManager.class, void.class, "createWorldReadableFile", File.class);
    require(DiskBlockManager.class, void.class, "stop");
    require(DiskStore.class, void.class, "put", BlockId.class, Function1.class);
    field(DiskBlockManager.class, "localDirs", File[].class);
    field(DiskBlockManager.class, "permissionChangingRequired", boolean.class);
  }

  private static void require(Class<?> owner, Class<?> result, String name, Class<?>... parameters)
      throws NoSuchMethodException {
    if (owner.getMethod(name, parameters).getReturnType() != result) {
      throw new NoSuchMethodException(owner + "." + name + " does not return " + result);
    }
  }

  private static Field field(Class<?> owner, String name, Class<?> type)
      throws NoSuchFieldException {
    Field field = owner.getDeclaredField(name);
    if (field.getType() != type || Modifier.isStatic(field.getModifiers())) {
      throw new NoSuchFieldException(field + " is no " + type);
    }
    field.setAccessible(true);
    return field;
  }

  /** True if the shuffle service of another user must be able to read and delete files. */
  static boolean othersRead(DiskBlockManager manager) throws ReflectiveOperationException {
    return (boolean)
        field(DiskBlockManager.class, "permissionChangingRequired", boolean.class).get(manager);
  }

  /** Puts a copy of Spark's in its place. */
  TieredDiskBlockManager exchange(DiskBlockManager stock) throws ReflectiveOperationException {
    TieredDiskBlockManager manager =
        copy(stock, DiskBlockManager.class, TieredDiskBlockManager.class);
    TieredDiskStore store = copy(blockManager.diskStore(), DiskStore.class, TieredDiskStore.class);
    storeManagerField.set(store, manager);
    store.placeBy(manager);
    managerField.set(blockManager, manager);
    storeField.set(blockManager, store);
    return manager;
  }

  private static <P, T extends P> T copy(P from, Class<P> parent, Class<T> type)
      throws ReflectiveOperationException {
    T to = new ObjenesisStd().newInstance(type);
    for (Field field : parent.getDeclaredFields()) {
      if (!Modifier.isStatic(field.getModifiers())) {
        field.setAccessible(true);
        field.set(to, field.get(from));
      }
    }
    return to;
  }
}
