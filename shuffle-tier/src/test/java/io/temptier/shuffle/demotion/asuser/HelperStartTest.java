// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion.asuser;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.shuffle.demotion.asuser.HelperSession.HelperException;
import io.temptier.tier.os.FileStamp;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whose fault it is that a helper does not come up. */
class HelperStartTest {
  private static final String APPLICATION = "application_1_0001";

  @TempDir Path temp;

  /** An executor that hangs, as one does that asks a name service in vain who the user is. */
  private static final class Hangs implements UserProcesses {
    @Override
    public List<String> command(
        ApplicationUser who, Scratch scratch, Path credentials, List<String> program) {
      return List.of("setsid", "sleep", "1000");
    }

    @Override
    public void check() {}

    @Override
    public void kill(ApplicationUser who, long pid) {
      ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
    }

    @Override
    public void delete(ApplicationUser who, Path folder) {}
  }

  private IOException failure(int uid) {
    ApplicationUser who = ApplicationUser.of(APPLICATION, "ann", "ann", uid);
    return assertThrows(
        IOException.class,
        () ->
            HelperSession.start(
                new Hangs(),
                Scratch.make(temp),
                who,
                List.of(),
                new Launch(HelperStartTest.class, List.of()),
                Duration.ofMillis(100)));
  }

  @Test
  void anExecutorThatHangsIsTheNodes() throws IOException {
    IOException of = failure(FileStamp.of(temp).uid() + 1);
    assertEquals(IOException.class, of.getClass(), of::toString);
    assertTrue(of.toString().contains("has not begun to run anything as"), of::toString);
  }

  @Test
  void aProcessOfTheUsersThatHangsIsTheUsers() throws IOException {
    assertEquals(HelperException.class, failure(FileStamp.of(temp).uid()).getClass());
  }
}
