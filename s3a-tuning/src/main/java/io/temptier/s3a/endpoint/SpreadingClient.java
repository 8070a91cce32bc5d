// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.endpoint;

import io.temptier.tier.lang.Immutable;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.s3.model.S3Request;
import software.amazon.awssdk.utils.SdkAutoCloseable;

/**
 * What stands for several clients of the SDK, one for each gateway: sends each operation to one of
 * them. A client of its own per gateway has the signer, the connections and all other settings that
 * S3A gives it. Thread safe, as the clients are.
 */
abstract class SpreadingClient<C extends SdkAutoCloseable> implements InvocationHandler {
  private static final Logger LOG = LoggerFactory.getLogger(SpreadingClient.class);

  /** Tell of the client, not of the store. */
  private static final Set<String> OF_ANY =
      Immutable.setOf("serviceName", "serviceClientConfiguration", "utilities", "waiter");

  private final List<C> clients;
  private final GatewayGroup group;
  private final Attempts.Resending resending;
  private final Runnable closing;
  private final AtomicBoolean closed = new AtomicBoolean();

  /** Stands for them, in the order of the group's gateways; closing is done once. */
  SpreadingClient(
      List<C> clients, GatewayGroup group, Attempts.Resending resending, Runnable closing) {
    this.clients = Immutable.copyOf(clients);
    this.group = group;
    this.resending = resending;
    this.closing = closing;
  }

  final C as(Class<C> type) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, this));
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] given)
      throws Throwable {
    Object[] arguments = given == null ? new Object[0] : given;
    String name = method.getName();
    if (method.getDeclaringClass() == Object.class) {
      switch (name) {
        case "equals":
          return proxy == arguments[0];
        case "hashCode":
          return System.identityHashCode(proxy);
        default:
          return getClass().getSimpleName() + " over " + group.gateways;
      }
    }
    if (name.equals("close") && arguments.length == 0) {
      close();
      return null;
    }
    if (OF_ANY.contains(name) && arguments.length == 0) {
      return call(method, 0, arguments);
    }
    if (arguments.length > 0 && arguments[0] instanceof S3Request && !name.endsWith("Paginator")) {
      return operate(method, arguments, new Attempts(group, resending, (S3Request) arguments[0]));
    }
    // Pages, and requests still to be built: the interface has them in terms of operations.
    return callDefault(proxy, method, arguments);
  }

  /** Does an operation, as often as it takes. */
  abstract @Nullable Object operate(Method method, Object[] arguments, Attempts attempts)
      throws Throwable;

  /** Does it once, on the client of one gateway; throws what that throws. */
  final @Nullable Object call(Method method, int index, Object[] arguments) throws Throwable {
    try {
      return method.invoke(clients.get(index), arguments);
    } catch (InvocationTargetException e) {
      throw e.getTargetException();
    }
  }

  /**
   * Calls what an interface itself does, on a proxy that stands for it; throws what that throws.
   */
  static @Nullable Object callDefault(Object proxy, Method method, Object... arguments)
      throws Throwable {
    Class<?> type = method.getDeclaringClass();
    MethodHandles.Lookup lookup;
    try {
      lookup = lookup(type);
    } catch (NoSuchMethodException e) {
      lookup = lookupOfJava8(type);
    }
    return callDefault(lookup, proxy, method, arguments);
  }

  static @Nullable Object callDefault(
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

  private void close() {
    if (closed.compareAndSet(false, true)) {
      closing.run();
      closeAll(clients);
    }
  }

  /** Closes clients, whatever becomes of each. */
  static void closeAll(List<? extends SdkAutoCloseable> clients) {
    for (SdkAutoCloseable client : clients) {
      try {
        client.close();
      } catch (RuntimeException e) {
        LOG.warn("Could not close {}", client, e);
      }
    }
  }
}
