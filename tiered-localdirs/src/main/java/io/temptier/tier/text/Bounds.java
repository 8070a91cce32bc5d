// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.text;

import com.google.auto.value.AutoValue;
import java.util.function.Function;

/**
 * The least and the most that the value of a property may be, as operators write them. A value
 * beyond them is a mistake, or TempTier would not work with it.
 */
@AutoValue
public abstract class Bounds {
  public abstract String least();

  public abstract String most();

  public static Bounds of(String least, String most) {
    return new AutoValue_Bounds(least, most);
  }

  /** Parses a value like the bounds; throws with a text for operators when it is beyond. */
  public <T extends Comparable<T>> T parse(String text, Function<String, T> parser) {
    T value = parser.apply(text);
    if (value.compareTo(parser.apply(least())) < 0) {
      throw new IllegalArgumentException(Quoted.of(text) + " is less than " + least());
    }
    if (value.compareTo(parser.apply(most())) > 0) {
      throw new IllegalArgumentException(Quoted.of(text) + " is more than " + most());
    }
    return value;
  }

  @Override
  public final String toString() {
    return least() + " to " + most();
  }
}
