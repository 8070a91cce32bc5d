// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.endpoint;

import io.temptier.tier.lang.Immutable;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.s3.model.S3Request;
import software.amazon.awssdk.utils.SdkAutoCloseable;

/**
 * Stands for several clients of the SDK, one for each gateway: sends each operation to one of them.
 * A client of its own per gateway has the signer, the connections and all other settings that S3A
 * gives it. Thread safe, as the clients are.
 */
abstract class SpreadingClient<C extends SdkAutoCloseable> implements InvocationHandler {
  private static final Logger LOG = LoggerFactory.getLogger(SpreadingClient.class);

  private final List<C> clients;
  final GatewayGroup group;
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

  /**
   * Makes the proxy to which the SDK's own delegating client passes operations. That does in terms
   * of operations what its interface does, such as pages and requests still to be built.
   */
  final C delegate(Class<C> type) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, this));
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] given)
      throws Throwable {
    Object[] arguments = given == null ? new Object[0] : given;
    if (method.getName().equals("close")) {
      close();
      return null;
    }
    return arguments.length > 0 && arguments[0] instanceof S3Request
        ? operate(method, arguments, new Attempts(group, resending, (S3Request) arguments[0]))
        // Tells of the client, not of the store.
        : call(method, 0, arguments);
  }

  abstract @Nullable Object operate(Method method, Object[] arguments, Attempts attempts)
      throws Throwable;

  /** Calls a method once, on the client of one gateway; throws what that throws. */
  final @Nullable Object call(Method method, int index, Object[] arguments) throws Throwable {
    try {
      return method.invoke(clients.get(index), arguments);
    } catch (InvocationTargetException e) {
      throw e.getTargetException();
    }
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
