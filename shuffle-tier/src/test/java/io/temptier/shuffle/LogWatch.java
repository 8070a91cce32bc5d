// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.spi.LoggingEvent;
import org.apache.log4j.spi.ThrowableInformation;
import org.jspecify.annotations.Nullable;

/**
 * Watches for what a handler's threads did not cope with, while it is open: warnings of Netty, a
 * buffer of it that was not released, exceptions that end a thread or that no code expected. Keeps
 * what the handlers say of each refused request and each client that went away off the console.
 */
public final class LogWatch implements AutoCloseable {
  private static final String NETTY = "io.netty";
  private static final List<String> HANDLERS =
      List.of("org.apache.hadoop.mapred.ShuffleHandler", "io.temptier.shuffle");

  private final List<String> unexpected = new ArrayList<>();
  private final Watching appender = new Watching();
  private final Thread.@Nullable UncaughtExceptionHandler uncaught =
      Thread.getDefaultUncaughtExceptionHandler();

  /** Begins to watch. */
  public LogWatch() {
    Thread.setDefaultUncaughtExceptionHandler(
        (thread, error) -> add("thread " + thread.getName() + " died", error));
    Logger.getLogger(NETTY).addAppender(appender);
    for (String handler : HANDLERS) {
      Logger.getLogger(handler).addAppender(appender);
      Logger.getLogger(handler).setAdditivity(false);
    }
  }

  /** Fails when there was anything unexpected. */
  public void assertQuiet() {
    synchronized (unexpected) {
      assertEquals("", String.join("\n", unexpected));
    }
  }

  private void add(String what, @Nullable Throwable error) {
    StringWriter text = new StringWriter();
    text.append(what);
    if (error != null) {
      error.printStackTrace(new PrintWriter(text.append(": "), true));
    }
    synchronized (unexpected) {
      unexpected.add(text.toString());
    }
  }

  @Override
  public void close() {
    Thread.setDefaultUncaughtExceptionHandler(uncaught);
    Logger.getLogger(NETTY).removeAppender(appender);
    for (String handler : HANDLERS) {
      Logger.getLogger(handler).removeAppender(appender);
      Logger.getLogger(handler).setAdditivity(true);
    }
  }

  private final class Watching extends AppenderSkeleton {
    @Override
    protected void append(LoggingEvent event) {
      if (!event.getLevel().isGreaterOrEqual(Level.WARN)) {
        return;
      }
      Throwable error =
          Optional.ofNullable(event.getThrowableInformation())
              .map(ThrowableInformation::getThrowable)
              .orElse(null);
      boolean netty = event.getLoggerName().startsWith(NETTY);
      if (netty || isBug(error)) {
        add(event.getLoggerName() + ": " + event.getRenderedMessage(), error);
      }
    }

    /** Netty's codecs tell of wrong input by an exception of theirs. */
    private static boolean isBug(@Nullable Throwable error) {
      return error instanceof Error
          || (error instanceof RuntimeException
              && !error.getClass().getName().startsWith(NETTY + ".handler"));
    }

    @Override
    public boolean requiresLayout() {
      return false;
    }

    @Override
    public void close() {}
  }
}
