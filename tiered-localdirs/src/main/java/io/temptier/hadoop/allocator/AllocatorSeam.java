// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.allocator;

import io.temptier.tier.NodeTiers;
import java.lang.reflect.Field;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.LocalDirAllocator;
import org.apache.hadoop.util.DiskChecker.DiskErrorException;
import org.apache.hadoop.util.DiskValidatorFactory;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.nodemanager.LocalDirsHandlerService;

/**
 * The one place where TempTier reaches into Hadoop: the private field of {@link
 * LocalDirsHandlerService} that holds the allocator of all the NodeManager's local files. The same
 * in Hadoop 3.4.2, 3.4.3 and 3.5.0.
 */
public final class AllocatorSeam {
  /** The field. */
  public static final String FIELD = "localDirsAllocator";

  /** The key of the good local dirs, in the handler's own configuration. */
  static final String CONTEXT_KEY = YarnConfiguration.NM_PREFIX + "good-local-dirs";

  private final LocalDirsHandlerService handler;
  private final Field field;
  private final Object stock;

  private AllocatorSeam(LocalDirsHandlerService handler, Field field, Object stock) {
    this.handler = handler;
    this.field = field;
    this.stock = stock;
  }

  /** Finds the seam of a handler. Tests put one here that does not find it. */
  @FunctionalInterface
  public interface Finder {
    /**
     * Finds the seam; changes nothing yet.
     *
     * @param handler a handler that is inited
     * @throws MissingException when it is not there
     */
    public AllocatorSeam find(LocalDirsHandlerService handler) throws MissingException;
  }

  /** This Hadoop is not built as TempTier expects. The message says what is missing. */
  public static final class MissingException extends Exception {
    private static final long serialVersionUID = 1;

    MissingException(String what, Throwable cause) {
      super(what, cause);
    }

    MissingException(String what) {
      super(what);
    }
  }

  /**
   * Finds the seam; changes nothing yet.
   *
   * @param handler a handler that is inited
   * @throws MissingException when it is not there
   */
  public static AllocatorSeam find(LocalDirsHandlerService handler) throws MissingException {
    return find(handler, LocalDirsHandlerService.class, FIELD);
  }

  /** The same in another class or by another name, for tests. */
  public static AllocatorSeam find(LocalDirsHandlerService handler, Class<?> owner, String name)
      throws MissingException {
    try {
      Field field = owner.getDeclaredField(name);
      if (field.getType() != LocalDirAllocator.class) {
        throw new MissingException(field + " is no " + LocalDirAllocator.class.getName());
      }
      field.setAccessible(true);
      Object stock = field.get(handler);
      if (stock == null) {
        throw new MissingException(field + " is not set when the service is inited");
      }
      if (handler.getConfig().get(CONTEXT_KEY) == null) {
        throw new MissingException(CONTEXT_KEY + " is not set when the service is inited");
      }
      return new AllocatorSeam(handler, field, stock);
    } catch (ReflectiveOperationException | RuntimeException e) {
      throw new MissingException("the field " + name + " of " + owner.getName() + ": " + e, e);
    }
  }

  /**
   * Puts TempTier's allocator in the place of stock's.
   *
   * @param tiers what to place by
   * @throws MissingException when that cannot be done; stock's is still in place then
   */
  public TieredLocalDirAllocator replace(NodeTiers tiers) throws MissingException {
    Configuration conf = handler.getConfig();
    String validator =
        conf.get(YarnConfiguration.DISK_VALIDATOR, YarnConfiguration.DEFAULT_DISK_VALIDATOR);
    try {
      TieredLocalDirAllocator tiered =
          new TieredLocalDirAllocator(
              CONTEXT_KEY, DiskValidatorFactory.getInstance(validator), tiers);
      field.set(handler, tiered);
      return tiered;
    } catch (DiskErrorException e) {
      throw new MissingException("the disk validator " + validator, e);
    } catch (IllegalAccessException e) {
      throw new MissingException(field + " cannot be set", e);
    }
  }

  /** Puts stock's allocator back. */
  public void restore() {
    try {
      field.set(handler, stock);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("what could be set can be set back", e);
    }
  }
}
