// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.users;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.temptier.lab.cluster.BackgroundSort;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Without Kerberos. */
final class TwoUsersIT extends TwoUsersContract {
  @Override
  void prepare() {
    // Nothing more.
  }

  /** Without Kerberos all containers are one account's, whoever submits them. */
  @Test
  @EnabledIfSystemProperty(named = "temptier.users", matches = "1")
  void whereAllRunAsOneAccountTheirOutputsMoveAsItsOwn() throws Exception {
    String limit = "yarn.nodemanager.linux-container-executor.nonsecure-mode.";
    String all = node.accounts.user("all", "");
    String eve = node.accounts.user("eve", "");
    cluster.restartNode(
        0, spec("64m").yarn(limit + "limit-users", "true").yarn(limit + "local-user", all));
    BackgroundSort sort = sort(eve, "limited");
    sort.await("an output to move", () -> moved(eve) > 0);
    Path copy = files(slow(), eve, file -> file.endsWith("file.out")).get(0);
    assertEquals(all, attributes(copy).owner().getName());
    sort.unharmed();
    assertEquals(0, moves.number("HelperFailures"));
    cluster.restartNode(0, spec("64m"));
  }
}
