// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.doctor;

import io.temptier.tier.Finding;
import io.temptier.tier.Finding.Severity;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What there is to say of the classes that a class path does not hold. Whether it is as good as the
 * node's own differs: an ERROR where this machine can tell, UNKNOWN where it cannot.
 *
 * @param key what gives it
 * @param origin where that stands
 * @param isNodes whether what is missing on this machine is missing on the node
 * @param isWhole whether it is all that the process has, Hadoop's own jars included
 * @param consequence what follows when a class is not found
 * @param remedy what to do about it
 */
record ClassPathSearch(
    ClassPath path,
    String key,
    String value,
    String origin,
    boolean isNodes,
    boolean isWhole,
    String consequence,
    String remedy) {

  List<Finding> lookFor(List<NamedClass> named) {
    List<NamedClass> missing = path.missing(named);
    List<String> unsearched = new ArrayList<>(path.unresolved());
    if (!isNodes) {
      unsearched.addAll(path.absent());
    }
    // Of TempTier's own jars it is known how their folder is called.
    List<String> ofOurs = unsearched.stream().filter(ClassPath::namesDropInJars).toList();
    return Stream.concat(
            finding(missing.stream().filter(NamedClass::isOurs).toList(), ofOurs, true).stream(),
            finding(missing.stream().filter(each -> !each.isOurs()).toList(), unsearched, isWhole)
                .stream())
        .toList();
  }

  private Optional<Finding> finding(
      List<NamedClass> missing, List<String> unsearched, boolean known) {
    if (missing.isEmpty()) {
      return Optional.empty();
    }
    String names = missing.stream().map(NamedClass::toString).collect(Collectors.joining(", "));
    boolean unknown = !unsearched.isEmpty() || !known;
    StringBuilder text = new StringBuilder();
    text.append(unknown ? "It cannot be told from here whether it holds " : "It does not hold ");
    text.append(names).append(".");
    if (!unsearched.isEmpty()) {
      text.append(" Not on this machine, or begins with a variable that is not set here: ");
      text.append(String.join(", ", unsearched)).append(".");
    } else if (!path.absent().isEmpty()) {
      text.append(" Missing, or no readable jar: ");
      text.append(String.join(", ", path.absent())).append(".");
    }
    if (!isWhole) {
      text.append(" Hadoop's own jars were not searched: HADOOP_HOME is not set here.");
    }
    text.append(unknown ? " If it does not: " : " ").append(consequence);
    return Optional.of(
        new Finding(
            unknown ? Severity.UNKNOWN : Severity.ERROR,
            key,
            value,
            origin,
            text.toString(),
            (unknown ? "Run the doctor on a node. " : "") + remedy));
  }
}
