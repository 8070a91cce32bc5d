// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.doctor;

import com.google.auto.value.AutoValue;
import io.temptier.tier.text.Finding;
import java.util.List;

/** One thing a doctor looks at. Stateless; reads nothing but what it is given. */
@AutoValue
public abstract class Check<T> {
  public abstract Heading heading();

  /** What is asked, in a few words that go after "to", such as {@code list the bucket}. */
  public abstract String question();

  /** Whether it writes to what it looks at. */
  public abstract boolean writes();

  /** Whether nothing after it can succeed when it fails. */
  public abstract boolean decides();

  public abstract Look<T> look();

  public static <T> Check<T> of(
      Heading heading, String question, boolean writes, boolean decides, Look<T> look) {
    return new AutoValue_Check<>(heading, question, writes, decides, look);
  }

  /** What a check does. */
  @FunctionalInterface
  public interface Look<T> {
    /** What there is to say, empty when all is well; throws when there is no answer. */
    List<Finding> at(T subject) throws Exception;
  }

  /** A check that writes nothing, and decides about nothing but itself. */
  public static <T> Check<T> of(Heading heading, String question, Look<T> look) {
    return Check.of(heading, question, false, false, look);
  }
}
