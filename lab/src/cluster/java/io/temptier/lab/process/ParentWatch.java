// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.process;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.function.UnaryOperator;

/**
 * The {@code main} in front of a daemon's own: it ends the daemon, and all that the daemon started,
 * when the process at the other end of its standard input goes away. So a SIGKILL of the starter
 * leaves nothing behind, which no shutdown hook could promise. A {@value #QUIT} byte asks for an
 * orderly exit instead.
 *
 * <p>The class goes alone on the daemon's classpath and so uses nothing but the JDK.
 */
public final class ParentWatch {
  public static final int QUIT = 'q';

  /** System property: a folder to delete once the starter is gone. */
  public static final String DELETE = "temptier.tether.delete";

  private static final int DELETE_TRIES = 3_000;
  private static final long DELETE_PAUSE_MILLIS = 200;

  private ParentWatch() {}

  /**
   * Runs {@code args[0]}'s main method with the other arguments.
   *
   * @throws Exception whatever that method throws
   */
  public static void main(String[] args) throws Exception {
    Thread watch = new Thread(ParentWatch::watch, "tether");
    watch.setDaemon(true);
    watch.start();
    try {
      Class.forName(args[0])
          .getMethod("main", String[].class)
          .invoke(null, (Object) Arrays.copyOfRange(args, 1, args.length));
    } catch (InvocationTargetException e) {
      e.printStackTrace();
      System.exit(1);
    }
  }

  /**
   * Answers what comes over a connection to a port of this machine, line by line, until whoever
   * listens there closes it.
   */
  public static void answer(int port, UnaryOperator<String> answers) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        BufferedReader in =
            new BufferedReader(
                new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
        PrintStream out = new PrintStream(socket.getOutputStream(), true, StandardCharsets.UTF_8)) {
      String line;
      while ((line = in.readLine()) != null) {
        out.println(answers.apply(line));
      }
    }
  }

  private static void watch() {
    int read;
    try {
      do {
        read = System.in.read();
      } while (read >= 0 && read != QUIT);
    } catch (IOException e) {
      read = -1;
    }
    if (read == QUIT) {
      System.exit(0);
    }
    // A child may be forked between two looks, so look until there is none.
    for (int i = 0; i < 5; i++) {
      ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly);
    }
    deleteLeftovers();
    Runtime.getRuntime().halt(1);
  }

  /** The other daemons end at the same moment and may still write, hence the patience. */
  private static void deleteLeftovers() {
    String folder = System.getProperty(DELETE);
    if (folder == null) {
      return;
    }
    File root = new File(folder);
    for (int i = 0; i < DELETE_TRIES && root.exists(); i++) {
      delete(root);
      try {
        Thread.sleep(DELETE_PAUSE_MILLIS);
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  private static void delete(File file) {
    File[] children = Files.isSymbolicLink(file.toPath()) ? null : file.listFiles();
    if (children != null) {
      for (File child : children) {
        delete(child);
      }
    }
    // What cannot be deleted yet is tried again with the whole folder.
    boolean unused = file.delete();
  }
}
