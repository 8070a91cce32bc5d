// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.endpoint;

import java.lang.invoke.MethodHandles;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/** Calls what an interface itself does, on a proxy that stands for it. */
final class DefaultMethods {
  private DefaultMethods() {}

  /** Throws what the method throws. */
  static @Nullable Object invoke(Object proxy, Method method, Object... arguments)
      throws Throwable {
    Class<?> type = method.getDeclaringClass();
    MethodHandles.Lookup lookup;
    try {
      lookup = lookup(type);
    } catch (NoSuchMethodException e) {
      lookup = lookupOfJava8(type);
    }
    return invoke(lookup, proxy, method, arguments);
  }

  static @Nullable Object invoke(
      MethodHandles.Lookup lookup, Object proxy, Method method, Object... arguments)
      throws Throwable {
    return lookup
        .unreflectSpecial(method, method.getDeclaringClass())
        .bindTo(proxy)
        .invokeWithArguments(arguments);
  }

  /** From Java 9 on. */
  private static MethodHandles.Lookup lookup(Class<?> type) throws ReflectiveOperationException {
    Method in =
        MethodHandles.class.getMethod("privateLookupIn", Class.class, MethodHandles.Lookup.class);
    return (MethodHandles.Lookup) in.invoke(null, type, MethodHandles.lookup());
  }

  /** Java 8 has no other way. */
  static MethodHandles.Lookup lookupOfJava8(Class<?> type) throws ReflectiveOperationException {
    Constructor<MethodHandles.Lookup> constructor =
        MethodHandles.Lookup.class.getDeclaredConstructor(Class.class);
    constructor.setAccessible(true);
    return constructor.newInstance(type);
  }
}
