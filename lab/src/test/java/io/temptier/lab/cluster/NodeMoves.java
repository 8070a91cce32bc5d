// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.temptier.fixtures.Eventually;
import io.temptier.lab.testbed.Folders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * What a cluster's first node tells of the outputs it moves and serves, and moves leave in dirs.
 */
public record NodeMoves(PseudoCluster cluster) {
  private static final String INFO = "Hadoop:service=NodeManager,name=TempTierShuffleInfo";
  private static final String TEMPORARY = ".temptier-demotion.";

  public JsonNode demotion() throws IOException {
    return read("Demotion");
  }

  public JsonNode media() throws IOException {
    return read("Media");
  }

  private JsonNode read(String attribute) throws IOException {
    return new ObjectMapper().readTree(cluster.nodeBeans(0, INFO).path(0).path(attribute).asText());
  }

  /** A number of demotion's, since the NodeManager started. */
  public long number(String attribute) throws IOException {
    return demotion().path(attribute).asLong(-1);
  }

  /** How many outputs of a dir are links to where they were moved. */
  public static int links(Path dir) {
    return Folders.find(dir, file -> file.endsWith("file.out") && Files.isSymbolicLink(file))
        .size();
  }

  public static List<Path> copies(Path dir, long moreThan) {
    return Folders.find(
        dir, file -> file.endsWith(TEMPORARY + "copy") && file.toFile().length() > moreThan);
  }

  /**
   * Waits until no local dir of the node has a folder of an application that has ended: the
   * NodeManager deletes them.
   */
  public static void awaitClean(PseudoCluster cluster) {
    Eventually.holds(
        "the folders of all applications are deleted",
        () ->
            cluster.localDirs(0).stream()
                .allMatch(dir -> Folders.find(dir, NodeMoves::ofAnApplication).isEmpty()));
  }

  private static boolean ofAnApplication(Path path) {
    return path.toString().contains("/appcache/application_");
  }

  public static List<Path> leftovers(Path dir) {
    return Folders.find(dir, file -> String.valueOf(file.getFileName()).startsWith(TEMPORARY));
  }
}
