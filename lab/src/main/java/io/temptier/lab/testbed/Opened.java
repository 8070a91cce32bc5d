// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.testbed;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;

/** Stack of what a run opened, closed the last one first. For use by one thread. */
public final class Opened implements Closeable {
  private final Deque<Closeable> opened = new ArrayDeque<>();

  /** Adds something to close; returns it. */
  public <T extends Closeable> T push(T resource) {
    opened.push(resource);
    return resource;
  }

  @FunctionalInterface
  public interface Maker<T, E extends Exception> {
    T make(Opened opened) throws IOException, E;
  }

  /** Makes something; all that was opened for it is closed if that fails. */
  public static <T, E extends Exception> T make(Maker<T, E> maker) throws IOException, E {
    Opened opened = new Opened();
    try {
      return maker.make(opened);
    } catch (Throwable e) {
      try {
        opened.close();
      } catch (IOException | RuntimeException closing) {
        e.addSuppressed(closing);
      }
      throw e;
    }
  }

  /** Prepares something new before it can be used. */
  @FunctionalInterface
  public interface Step<T, E extends Exception> {
    void take(T made) throws IOException, E;
  }

  /** Takes a step with something new, and returns it; it is closed if that fails. */
  public static <T extends Closeable, E extends Exception> T ready(T made, Step<T, E> step)
      throws IOException, E {
    return make(
        opened -> {
          step.take(opened.push(made));
          return made;
        });
  }

  /**
   * Closes all of them.
   *
   * @throws IOException the first failure; the others were closed all the same
   */
  @Override
  public void close() throws IOException {
    IOException failure = null;
    while (!opened.isEmpty()) {
      try {
        opened.pop().close();
      } catch (IOException | RuntimeException e) {
        IOException first = e instanceof IOException io ? io : new IOException(e);
        failure = failure == null ? first : failure;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
