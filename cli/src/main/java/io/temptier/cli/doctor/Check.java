// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.doctor;

import io.temptier.tier.Finding;
import java.util.List;

/**
 * One thing a doctor looks at. Stateless; reads nothing but what it is given.
 *
 * @param question what is asked, in a few words that go after "to", such as {@code list the bucket}
 * @param writes whether it writes to what it looks at
 * @param decides whether nothing after it can succeed when it fails
 */
public record Check<T>(
    Heading heading, String question, boolean writes, boolean decides, Look<T> look) {
  /** What a check does. */
  @FunctionalInterface
  public interface Look<T> {
    /** What there is to say, empty when all is well; throws when there is no answer. */
    List<Finding> at(T subject) throws Exception;
  }

  /** A check that writes nothing, and decides about nothing but itself. */
  public static <T> Check<T> of(Heading heading, String question, Look<T> look) {
    return new Check<>(heading, question, false, false, look);
  }
}
