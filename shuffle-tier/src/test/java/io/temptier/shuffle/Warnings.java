// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.spi.LoggingEvent;

/** What some loggers warn of, while it is open. */
class Warnings extends AppenderSkeleton implements AutoCloseable {
  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final List<Logger> loggers;

  Warnings(String... loggers) {
    this.loggers = Stream.of(loggers).map(Logger::getLogger).toList();
    this.loggers.forEach(logger -> logger.addAppender(this));
  }

  /** One a warning, with the trace that it has. */
  final List<String> lines() {
    return lines;
  }

  @Override
  protected void append(LoggingEvent event) {
    if (event.getLevel().isGreaterOrEqual(Level.WARN)) {
      String[] trace = event.getThrowableStrRep();
      lines.add(
          event.getRenderedMessage() + (trace == null ? "" : "\n" + String.join("\n", trace)));
    }
  }

  @Override
  public boolean requiresLayout() {
    return false;
  }

  @Override
  public void close() {
    loggers.forEach(logger -> logger.removeAppender(this));
  }
}
