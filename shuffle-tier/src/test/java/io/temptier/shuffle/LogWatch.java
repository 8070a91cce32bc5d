// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.apache.hadoop.util.StringUtils;
import org.apache.log4j.Logger;
import org.apache.log4j.spi.LoggingEvent;
import org.apache.log4j.spi.ThrowableInformation;
import org.jspecify.annotations.Nullable;

/**
 * Watches for what a handler's threads did not cope with, while it is open: warnings of Netty, a
 * buffer of it that was not released, exceptions that end a thread or that no code expected. Keeps
 * what the handlers say of each refused request and each client that went away off the console.
 */
public final class LogWatch extends Warnings {
  private static final String NETTY = "io.netty";
  private static final List<String> HANDLERS =
      List.of("org.apache.hadoop.mapred.ShuffleHandler", "io.temptier.shuffle");

  private final Thread.@Nullable UncaughtExceptionHandler uncaught =
      Thread.getDefaultUncaughtExceptionHandler();

  /** Begins to watch. */
  public LogWatch() {
    super(NETTY, HANDLERS.get(0), HANDLERS.get(1));
    Thread.setDefaultUncaughtExceptionHandler(
        (thread, error) ->
            lines()
                .add("thread " + thread.getName() + ": " + StringUtils.stringifyException(error)));
    HANDLERS.forEach(handler -> Logger.getLogger(handler).setAdditivity(false));
  }

  /** Fails when there was anything unexpected. */
  public void assertQuiet() {
    assertEquals("", String.join("\n", lines()));
  }

  @Override
  protected void append(LoggingEvent event) {
    if (event.getLoggerName().startsWith(NETTY) || isBug(event.getThrowableInformation())) {
      super.append(event);
    }
  }

  /** Netty's codecs tell of wrong input by an exception of theirs. */
  private static boolean isBug(@Nullable ThrowableInformation with) {
    Throwable error = with == null ? null : with.getThrowable();
    return error instanceof Error
        || (error instanceof RuntimeException
            && !error.getClass().getName().startsWith(NETTY + ".handler"));
  }

  @Override
  public void close() {
    Thread.setDefaultUncaughtExceptionHandler(uncaught);
    HANDLERS.forEach(handler -> Logger.getLogger(handler).setAdditivity(true));
    super.close();
  }
}
