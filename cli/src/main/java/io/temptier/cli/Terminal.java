// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli;

import io.temptier.tier.LocalDirsParser;
import io.temptier.tier.os.Io;
import io.temptier.tier.os.ProcessTable;
import io.temptier.tier.text.Sizes;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardCopyOption;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Mixin that gives a command its output streams, colours and progress. */
@Command
public final class Terminal {
  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec mixee;

  public PrintWriter out() {
    return commandLine().getOut();
  }

  public PrintWriter err() {
    return commandLine().getErr();
  }

  public Ansi ansi() {
    return commandLine().getColorScheme().ansi();
  }

  /** Text, taken literally, in a style of picocli's, such as {@code bold,red}, or plain. */
  public String styled(String style, String text) {
    if (!ansi().enabled()) {
      return text;
    }
    Ansi.IStyle[] styles = Ansi.Style.parse(style);
    return Ansi.Style.on(styles) + text + Ansi.Style.off(styles);
  }

  /**
   * Starts to show what is being done on standard error, if that is a terminal and the work takes
   * more than two seconds.
   */
  public Progress progress(String label) {
    return Progress.start(label, err(), standardErrorIsTerminal(), Progress.SILENT);
  }

  /** {@link #progress} for work of minutes: where that is no terminal each phase is a line. */
  public Progress phases(String label) {
    return standardErrorIsTerminal() ? progress(label) : Progress.inLines(label, err());
  }

  /** Makes the exception for a wrong command line, which ends with {@link ExitCodes#WRONG_USE}. */
  public ParameterException wrongUse(String message) {
    return new ParameterException(commandLine(), message);
  }

  /** Says that the command line is wrong if an option's number is below 1. */
  public void atLeastOne(String option, long value) {
    if (value < 1) {
      throw wrongUse(option + "=" + value + " is less than 1");
    }
  }

  /** Parses an option's text; an {@link IllegalArgumentException} is wrong use of the option. */
  public <T> T parse(String option, String text, Function<String, T> parser) {
    try {
      return parser.apply(text);
    } catch (IllegalArgumentException e) {
      throw wrongUse(option + ": " + e.getMessage());
    }
  }

  /** Parses an option's size, of at least a byte. */
  public long size(String option, String text) {
    long bytes = parse(option, text, Sizes::parse);
    if (bytes < 1) {
      throw wrongUse(option + "=" + text + " is nothing");
    }
    return bytes;
  }

  /**
   * Ends the command unless this user may list and enter the folder that an option names. What is
   * in one that is closed to the user seems not to exist.
   */
  public void readable(String option, Path folder) {
    Deadline.orFail("read " + option + " " + folder, () -> Files.isDirectory(folder));
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
      boolean unused = files.iterator().hasNext();
      if (!Files.isExecutable(folder)) {
        throw new AccessDeniedException(folder.toString());
      }
    } catch (NotDirectoryException | NoSuchFileException e) {
      String none = e instanceof NoSuchFileException ? ": there is no such file." : ".";
      throw wrongUse(option + " " + folder + " is not a folder" + none);
    } catch (AccessDeniedException e) {
      throw new CommandFailure(
          String.format(
              "User %s may not read %s %s. Run this as a user who may, such as the NodeManager's.",
              System.getProperty("user.name"), option, folder),
          e);
    } catch (IOException e) {
      throw new CommandFailure(option + " " + folder + " cannot be read: " + e, e);
    }
  }

  /**
   * Writes a file that somebody asked for by name, in place of what was there: it appears whole or
   * not at all. A device or a pipe, such as {@code /dev/stdout}, is written to.
   */
  public static void writeWhole(Path file, String text) {
    Path target = file.toAbsolutePath();
    // Not createTempFile: its 0600 would stay, where the user's umask should decide.
    Path temp = target.resolveSibling("." + target.getFileName() + "." + ProcessTable.ownPid());
    Path folder = target.getParent();
    if (folder != null && !Files.isDirectory(folder)) {
      throw new CommandFailure("cannot write " + target + ": there is no folder " + folder + ".");
    }
    try {
      if (Files.exists(target) && !Files.isRegularFile(target)) {
        Io.writeString(target, text);
        return;
      }
      try {
        Io.writeString(temp, text);
        Files.move(
            temp, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      } finally {
        Files.deleteIfExists(temp);
      }
    } catch (IOException e) {
      throw new CommandFailure("cannot write " + target + ": " + e, e);
    }
  }

  /** The command as it was typed in a source checkout. */
  public String typed() {
    return "./temptier " + String.join(" ", root().getParseResult().originalArgs());
  }

  /** Tells it from the device: {@code System.console()} is about standard input and output. */
  private static boolean standardErrorIsTerminal() {
    return device(2).matches("/dev/(pts/|tty|console).*");
  }

  /** Returns the kernel's name of an open file of this process; empty where it does not tell. */
  public static String device(int descriptor) {
    try {
      return Files.readSymbolicLink(Paths.get("/proc/self/fd/" + descriptor)).toString();
    } catch (IOException | UnsupportedOperationException e) {
      return "";
    }
  }

  public CommandLine root() {
    return commandLine().getCommandSpec().root().commandLine();
  }

  public CommandLine commandLine() {
    return Objects.requireNonNull(mixee, "not a mixin of a running command").commandLine();
  }

  /**
   * Takes a local dir on the command line as {@code yarn.nodemanager.local-dirs} does, {@code
   * file:///nvme0/yarn} too, and beyond that relative to the working dir.
   */
  public static final class LocalDirConverter implements ITypeConverter<Path> {
    @Override
    public Path convert(String dir) {
      return LocalDirsParser.pathOf(dir)
          .orElseGet(() -> Paths.get(dir).toAbsolutePath().normalize());
    }
  }
}
