// SPDX-License-Identifier: Apache-2.0
package io.temptier.spark;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TypeInsnNode;

/**
 * Turns Spark's tests into tests of TempTier's disk block manager and disk store.
 *
 * <p>They come from the tests that Spark publishes, as class files. Wherever one of them, or
 * Spark's own block manager, makes a disk block manager or a disk store, {@link SuiteManagers}
 * makes it. A Spark version in which one of them makes none stops the build.
 */
public final class SparksTests {
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
    for (MethodNode method : type.methods) {
      made += haveMade(method.instructions);
    }
    if (made == 0) {
      throw new IllegalStateException(name + " makes none of " + FACTORIES.keySet());
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
    for (AbstractInsnNode step : code.toArray()) {
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
}
