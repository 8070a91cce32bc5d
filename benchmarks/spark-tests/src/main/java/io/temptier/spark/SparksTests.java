// SPDX-License-Identifier: Apache-2.0
package io.temptier.spark;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TypeInsnNode;

/**
 * Turns Spark's tests into tests of TempTier's disk block manager and disk store.
 *
 * <p>They come from the tests that Spark publishes, as class files. Wherever one of them, or
 * Spark's own block manager, makes a disk block manager or a disk store, {@link SuiteManagers}
 * makes it. A test that cannot hold is made an ignored one, and so shows in the report. Each change
 * must find its place: a Spark version in which one does not stops the build.
 */
public final class SparksTests {
  /**
   * A test that TempTier does not pass.
   *
   * @param suite the class that it is in
   * @param test its name
   * @param reason why it cannot hold
   */
  private record Exclusion(String suite, String test, String reason) {}

  private static final String STORAGE = "org/apache/spark/storage/";

  /** Those that make a manager or a store. */
  private static final List<String> MAKERS =
      List.of(
          STORAGE + "BlockManager",
          STORAGE + "DiskBlockManagerSuite",
          STORAGE + "DiskStoreSuite",
          STORAGE + "FallbackStorageSuite");

  private static final Map<String, String> FACTORIES =
      Map.of(STORAGE + "DiskBlockManager", "diskBlockManager", STORAGE + "DiskStore", "diskStore");

  private static final List<Exclusion> EXCLUSIONS = List.of();

  private SparksTests() {}

  /**
   * Writes the changed classes.
   *
   * @param args the folder to write to, which goes before Spark's jars in a class path
   */
  public static void main(String[] args) throws IOException {
    Path out = Path.of(args[0]);
    for (String maker : MAKERS) {
      change(out, maker);
    }
    for (Exclusion exclusion : EXCLUSIONS) {
      System.out.println(exclusion.suite + ": \"" + exclusion.test + "\": " + exclusion.reason);
      if (!MAKERS.contains(exclusion.suite)) {
        change(out, exclusion.suite);
      }
    }
  }

  private static void change(Path out, String name) throws IOException {
    ClassNode type = new ClassNode();
    try (InputStream in = SparksTests.class.getResourceAsStream("/" + name + ".class")) {
      if (in == null) {
        throw new IllegalStateException("Spark's published jars hold no " + name);
      }
      new ClassReader(in).accept(type, 0);
    }
    int made = 0;
    Set<String> excluded = new HashSet<>();
    for (Exclusion exclusion : EXCLUSIONS) {
      if (exclusion.suite.equals(name)) {
        excluded.add(exclusion.test);
      }
    }
    for (MethodNode method : type.methods) {
      made += haveMade(method.instructions);
      ignore(method.instructions, excluded);
    }
    if (made == 0 && MAKERS.contains(name)) {
      throw new IllegalStateException(name + " makes none of " + FACTORIES.keySet());
    }
    if (!excluded.isEmpty()) {
      throw new IllegalStateException(name + " has no test " + excluded);
    }
    ClassWriter writer = new ClassWriter(0);
    type.accept(writer);
    Path file = out.resolve(name + ".class");
    Files.createDirectories(file.getParent());
    Files.write(file, writer.toByteArray());
  }

  /** Has the factories make what a method makes; how often it does. */
  private static int haveMade(InsnList code) {
    int made = 0;
    for (AbstractInsnNode step : all(code)) {
      if (step instanceof MethodInsnNode call
          && call.name.equals("<init>")
          && FACTORIES.containsKey(call.owner)) {
        AbstractInsnNode birth = call.getPrevious();
        while (!(birth instanceof TypeInsnNode of
            && of.getOpcode() == Opcodes.NEW
            && of.desc.equals(call.owner))) {
          birth = birth.getPrevious();
        }
        // NEW and DUP leave the object twice; a factory takes the arguments alone.
        code.remove(birth.getNext());
        code.remove(birth);
        code.set(
            call,
            new MethodInsnNode(
                Opcodes.INVOKESTATIC,
                Type.getInternalName(SuiteManagers.class),
                FACTORIES.get(call.owner),
                Type.getMethodDescriptor(
                    Type.getObjectType(call.owner), Type.getArgumentTypes(call.desc)),
                false));
        made++;
      }
    }
    return made;
  }

  /** Has tests be ignored; those that were found leave the set. */
  private static void ignore(InsnList code, Set<String> excluded) {
    for (AbstractInsnNode step : all(code)) {
      if (step instanceof LdcInsnNode constant && excluded.remove(constant.cst)) {
        AbstractInsnNode next = step.getNext();
        while (!(next instanceof MethodInsnNode call && call.name.equals("test"))) {
          next = next.getNext();
        }
        ((MethodInsnNode) next).name = "ignore";
      }
    }
  }

  private static List<AbstractInsnNode> all(InsnList code) {
    return new ArrayList<>(Stream.of(code.toArray()).toList());
  }
}
