// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.doctor;

import com.google.auto.value.AutoValue;
import io.temptier.tier.text.Finding;
import java.util.Locale;
import java.util.function.Consumer;

/** A question of a doctor and what answers it. Stateless; reads nothing but what it is given. */
@AutoValue
public abstract class Check<T> {
  public abstract Heading heading();

  /** Names the question in a few words that go after "to", such as {@code list the bucket}. */
  public abstract String question();

  abstract Look<T> look();

  public static <T> Check<T> of(Heading heading, String question, Look<T> look) {
    return new AutoValue_Check<>(heading, question, look);
  }

  @FunctionalInterface
  public interface Look<T> {
    /** Tells what it finds, nothing when all is well; throws when there is no answer. */
    void at(T subject, Consumer<Finding> found) throws Exception;
  }

  /** The headings of the doctors' reports, in their order. */
  public enum Heading {
    FILES("Files"),
    TIERS("Tiers"),
    NODE_MANAGER("NodeManager"),
    TASKS("Containers"),
    SPARK("Spark"),
    S3A("S3A upload buffers"),
    MACHINE("This machine"),
    CLASS_PATH("Class path"),
    SETTINGS("Settings"),
    BUFFERS("Upload buffers"),
    CONNECTION("Connection"),
    BUCKET("Bucket"),
    WRITES("Writes"),
    READS("Reads"),
    CLEAN_UP("Clean-up");

    final String title;

    Heading(String title) {
      this.title = title;
    }

    /** Returns the name that programs read, such as {@code class_path}. */
    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
