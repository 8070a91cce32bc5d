// SPDX-License-Identifier: Apache-2.0
package io.temptier.testing;

import io.temptier.fixtures.Accounts;
import io.temptier.fixtures.OtherUser;
import io.temptier.tier.Layouts;
import io.temptier.tier.Reserve;
import io.temptier.tier.marker.MountPins;
import io.temptier.tier.marker.NodeMarker;
import io.temptier.tier.marker.NodeTiers;
import io.temptier.tier.marker.TierSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;

/**
 * The local dirs of a NodeManager that is neither root nor one of its two users, each of whom has
 * an application: folders, owners and modes as the Linux container executor leaves them. What a
 * user does is done by a process of that user. For root alone; to be closed, which removes the
 * accounts.
 */
public final class SharedNode implements AutoCloseable {
  private static final String ANNS = "application_1_0001";
  private static final String BOBS = "application_1_0002";

  public final Accounts accounts = new Accounts();
  public final String nodeUser;
  public final String ann;
  public final String bob;
  public final Path fast;
  public final Path slow;
  private final Path temp;

  /**
   * Sets it up, or skips the test that calls.
   *
   * @param temp which everybody may look into afterwards
   * @param fast becomes a local dir on NVMe, so it says
   * @param slow becomes one on an HDD
   */
  public SharedNode(Path temp, Path fast, Path slow, Reserve reserve, TierSettings settings)
      throws IOException {
    this.temp = temp;
    Files.setPosixFilePermissions(temp, PosixFilePermissions.fromString("rwxr-xr-x"));
    this.fast = Files.createDirectories(fast);
    this.slow = Files.createDirectories(slow);
    nodeUser = accounts.user("node", "");
    ann = accounts.user("ann", "");
    bob = accounts.user("bob", "");
    NodeTiers tiers = MountPins.pin(Layouts.publish(fast, slow, reserve, settings));
    for (Path root : List.of(fast, slow)) {
      NodeMarker.write(root, tiers);
      Files.createDirectories(root.resolve("usercache"));
      Accounts.give(root, nodeUser);
      Files.setAttribute(NodeMarker.claims(root), "unix:mode", 01777);
      for (String user : List.of(ann, bob)) {
        Files.createDirectories(appDir(root, user));
        Accounts.open(Accounts.give(root.resolve("usercache").resolve(user), user), nodeUser);
      }
    }
  }

  public String application(String user) {
    return user.equals(ann) ? ANNS : BOBS;
  }

  /** Where a user's tasks may write. */
  public Path appDir(Path root, String user) {
    return root.resolve("usercache").resolve(user).resolve("appcache").resolve(application(user));
  }

  /** A user's dirs as tasks are given them; the slow one first, as stock would begin with it. */
  public String appDirs(String user) {
    return appDir(slow, user) + "," + appDir(fast, user);
  }

  /**
   * The command line of a Java program of this build.
   *
   * @param program the options of the JVM, the class and its arguments
   */
  public List<String> java(String user, List<String> program) throws IOException {
    List<String> line = new ArrayList<>(List.of("-Xmx128m", "-XX:+UseSerialGC"));
    line.addAll(List.of("-XX:TieredStopAtLevel=1", logsToOutput(temp)));
    line.addAll(program);
    return OtherUser.command(temp, user, line);
  }

  /** An option of a JVM that has Hadoop log to standard output. */
  public static String logsToOutput(Path folder) throws IOException {
    Path log4j = folder.resolve("log4j.properties");
    Files.writeString(
        log4j,
        """
        log4j.rootLogger=INFO,out
        log4j.appender.out=org.apache.log4j.ConsoleAppender
        log4j.appender.out.layout=org.apache.log4j.PatternLayout
        log4j.appender.out.layout.ConversionPattern=%p %c %m%n
        """);
    return "-Dlog4j.configuration=" + log4j.toUri();
  }

  @Override
  public void close() throws IOException {
    accounts.close();
  }
}
