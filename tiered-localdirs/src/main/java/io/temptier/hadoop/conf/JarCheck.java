// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.conf;

import com.google.auto.value.AutoValue;
import io.temptier.tier.lang.Immutable;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URL;
import java.net.URLConnection;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Checks that TempTier's jars on a class path are of one version, and are those for the Hadoop
 * beside them. Reads resources and loads no class, so that it can also judge another JVM's class
 * path. Not thread-safe.
 */
public final class JarCheck {
  private static final String LISTENER = "io/temptier/hadoop/NodeManagerTiering.class";
  private static final String HANDLER = "io/temptier/shuffle/TieredShuffleHandler.class";

  /** Place where Maven leaves the version of a jar. */
  private static final String POM = "META-INF/maven/io.temptier/%s/pom.properties";

  private static final String HANDLER_OF_34 = "temptier-shuffle-tier";

  private static final String HANDLER_OF_33 = "temptier-shuffle-tier-hadoop33";
  private static final List<String> ARTIFACTS =
      Immutable.listOf(
          "temptier-tiered-localdirs",
          HANDLER_OF_34,
          HANDLER_OF_33,
          "temptier-s3a-tuning",
          "temptier-spark-tier");

  /** Place where Hadoop leaves its own version, vendors' such as 3.1.1.7.1.9.0-387 included. */
  private static final String HADOOP = "common-version-info.properties";

  private static final Pattern KNOWN = Pattern.compile("3\\.([1-9]\\d{0,3})(?!\\d).*");

  /** The minor versions whose shuffle handler TempTier's can stand in for. */
  private static final int SERVED = 3;

  private static final int NEWEST_SERVED = 5;

  private static final String STOCKS = "org/apache/hadoop/mapred/ShuffleHandler.class";

  /** Class beside it where it is on Netty 4; vendors' versions do not tell. */
  private static final String STOCKS_ON_NETTY_4 =
      "org/apache/hadoop/mapred/ShuffleChannelHandler.class";

  private final ClassLoader loader;
  private final Optional<String> hadoop;

  @AutoValue
  public abstract static class Trouble {
    public abstract String what();

    public abstract String remedy();

    @Override
    public final String toString() {
      return what() + " " + remedy();
    }
  }

  private JarCheck(ClassLoader loader, Optional<String> hadoop) {
    this.loader = loader;
    this.hadoop = hadoop;
  }

  /** Checks the class path that a loader searches, Hadoop's jars included. */
  public static JarCheck of(ClassLoader loader) {
    return new JarCheck(loader, version(loader.getResource(HADOOP)));
  }

  private static Optional<Trouble> trouble(String what, String remedy) {
    return Optional.of(new AutoValue_JarCheck_Trouble(what, remedy));
  }

  /** Reports jars that are there more than once, or in several versions. */
  public Optional<Trouble> versions() {
    Set<Path> twice = places(LISTENER);
    if (twice.size() > 1) {
      return trouble(
          "TempTier is there more than once: " + join(twice) + ".",
          "Leave the jars of one version only.");
    }
    SortedMap<String, Set<Path>> byVersion = new TreeMap<>();
    for (String artifact : ARTIFACTS) {
      String pom = String.format(POM, artifact);
      for (URL url : urls(pom)) {
        version(url)
            .ifPresent(
                version ->
                    byVersion.computeIfAbsent(version, v -> new TreeSet<>()).add(place(url, pom)));
      }
    }
    if (byVersion.size() < 2) {
      return Optional.empty();
    }
    return trouble(
        byVersion.entrySet().stream()
            .map(each -> each.getKey() + " in " + join(each.getValue()))
            .collect(Collectors.joining("; ", "TempTier's jars are of several versions: ", ".")),
        "Leave the jars of one version only. Unpack a tarball into a new folder, never over another"
            + " version.");
  }

  /**
   * Reports a Hadoop beside which no file can be placed. A newer minor version is tried: where its
   * allocator has changed, the seam finds that and leaves all to stock.
   */
  public Optional<Trouble> hadoop() {
    if (!hadoop.isPresent() || minor(hadoop.get()) != null) {
      return Optional.empty();
    }
    return trouble(
        String.format(
            "Hadoop %s is not known: this release of TempTier runs with Hadoop 3.1 and later 3.x.",
            hadoop.get()),
        "Use a release of TempTier that names this Hadoop.");
  }

  /** Reports what keeps the shuffle handler alone from serving. */
  public Optional<Trouble> shuffle() {
    Set<Path> handlers = places(HANDLER);
    if (handlers.size() > 1) {
      return trouble(
          "TempTier's shuffle handler is there more than once: " + join(handlers) + ".",
          "Leave the one for this Hadoop: "
              + HANDLER_OF_33
              + " for 3.3, "
              + HANDLER_OF_34
              + " for 3.4 and later.");
    }
    String version = hadoop.orElse("");
    Integer minor = minor(version);
    if (minor == null || handlers.isEmpty()) {
      return Optional.empty();
    }
    if (minor < SERVED || minor > NEWEST_SERVED) {
      return trouble(
          String.format(
              "TempTier's shuffle handler needs Hadoop 3.%d to 3.%d, and this is %s.",
              SERVED, NEWEST_SERVED, version),
          "Leave yarn.nodemanager.aux-services.mapreduce_shuffle.class out: placement works"
              + " without it.");
    }
    Path jar = handlers.iterator().next();
    boolean netty4 = loader.getResource(STOCKS_ON_NETTY_4) != null;
    if (loader.getResource(STOCKS) == null || isOf33(jar) != netty4) {
      return Optional.empty();
    }
    return trouble(
        String.format(
            "%s is for Hadoop %s, and this is %s, whose own shuffle handler is on Netty %d.",
            jar, netty4 ? "3.3" : "3.4 and later", version, netty4 ? 4 : 3),
        "Put " + (netty4 ? HANDLER_OF_34 : HANDLER_OF_33) + " of the same version in its place.");
  }

  private boolean isOf33(Path jar) {
    return String.valueOf(jar.getFileName()).startsWith(HANDLER_OF_33)
        || places(String.format(POM, HANDLER_OF_33)).contains(jar);
  }

  /** The minor version of a Hadoop that is known; null for all others. */
  private static @Nullable Integer minor(String version) {
    Matcher known = KNOWN.matcher(version);
    return known.matches() ? Integer.valueOf(known.group(1)) : null;
  }

  /** The jars and folders that hold a resource, one that has several names once. */
  private Set<Path> places(String resource) {
    Map<Path, Path> once = new TreeMap<>();
    for (URL url : urls(resource)) {
      Path place = place(url, resource);
      once.putIfAbsent(real(place), place);
    }
    return new TreeSet<>(once.values());
  }

  private Collection<URL> urls(String resource) {
    try {
      return Collections.list(loader.getResources(resource));
    } catch (IOException e) {
      // Java passes over what it cannot read, too.
      return Immutable.listOf();
    }
  }

  /** The jar or folder that a resource was found in; what is no file is shown as it is. */
  private static Path place(URL url, String resource) {
    String found = url.toString();
    String place = found.substring(0, found.length() - resource.length() - 1);
    try {
      return Paths.get(URI.create(place.replaceFirst("^jar:(.*)!$", "$1")));
    } catch (IllegalArgumentException | FileSystemNotFoundException e) {
      return Paths.get(url.getPath());
    }
  }

  private static Path real(Path place) {
    try {
      return place.toRealPath();
    } catch (IOException e) {
      return place;
    }
  }

  private static Optional<String> version(@Nullable URL properties) {
    if (properties == null) {
      return Optional.empty();
    }
    Properties read = new Properties();
    try {
      URLConnection connection = properties.openConnection();
      // A cached jar would stay open, and hide the one that takes its place.
      connection.setUseCaches(false);
      try (InputStream in = connection.getInputStream()) {
        read.load(in);
      }
    } catch (IOException | IllegalArgumentException e) {
      return Optional.empty();
    }
    return Optional.ofNullable(read.getProperty("version"));
  }

  private static String join(Collection<Path> places) {
    return places.stream().map(Path::toString).collect(Collectors.joining(", "));
  }
}
