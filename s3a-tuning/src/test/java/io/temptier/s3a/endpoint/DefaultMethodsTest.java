// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.Test;

class DefaultMethodsTest {
  /** What a proxy stands for. */
  interface Greeter {
    String name();

    default String greet(String word) throws IOException {
      if (word.isEmpty()) {
        throw new IOException("no word");
      }
      return word + " " + name();
    }
  }

  @Test
  void whatTheInterfaceDoesIsDoneWithTheProxy() throws IOException {
    Greeter greeter = proxy(SpreadingClient::callDefault);
    assertEquals("hello proxy", greeter.greet("hello"));
    assertThrows(IOException.class, () -> greeter.greet(""));
  }

  @Test
  void java8sWayIsTheSame() throws IOException {
    Greeter greeter =
        proxy(
            (proxy, method, arguments) ->
                SpreadingClient.callDefault(
                    SpreadingClient.lookupOfJava8(Greeter.class), proxy, method, arguments));
    assertEquals("hello proxy", greeter.greet("hello"));
  }

  private static Greeter proxy(InvocationHandler defaults) {
    InvocationHandler handler =
        (proxy, method, arguments) ->
            method.isDefault() ? defaults.invoke(proxy, method, arguments) : "proxy";
    return (Greeter)
        Proxy.newProxyInstance(
            Greeter.class.getClassLoader(), new Class<?>[] {Greeter.class}, handler);
  }
}
