// SPDX-License-Identifier: Apache-2.0
package example;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import scala.Tuple2;

/** A Spark of one JVM with TempTier's plugin, whose shuffle goes to the fast dir. */
public final class CountsWords {
  private CountsWords() {}

  public static void main(String[] args) throws Exception {
    Path node = Path.of(args[0]).toAbsolutePath();
    Path fast = Files.createDirectories(node.resolve("nvme"));
    Path slow = Files.createDirectories(node.resolve("hdd"));
    SparkConf conf =
        new SparkConf()
            .setMaster("local[2]")
            .setAppName("outside")
            .set("spark.ui.enabled", "false")
            .set("spark.driver.bindAddress", "127.0.0.1")
            .set("spark.driver.host", "localhost")
            .set("spark.local.dir", slow + "," + fast)
            .set("spark.plugins", "io.temptier.spark.TierPlugin")
            .set("spark.temptier.local-dirs", "[NVME]" + fast + ",[DISK]" + slow);
    try (JavaSparkContext spark = new JavaSparkContext(conf)) {
      List<Integer> numbers = IntStream.range(0, 100_000).boxed().toList();
      long words =
          spark
              .parallelize(numbers, 4)
              .mapToPair(i -> new Tuple2<>("word" + i % 1000, 1))
              .reduceByKey(Integer::sum, 3)
              .count();
      long inFast = shuffled(fast);
      long inSlow = shuffled(slow);
      System.out.println(
          "COUNTED " + words + " words; shuffle files: " + inFast + " nvme, " + inSlow + " hdd");
      if (words != 1000 || inFast == 0 || inSlow != 0) {
        throw new AssertionError("all are to be in " + fast);
      }
    }
  }

  /** Files of shuffles below a dir; links to those in another are none. */
  private static long shuffled(Path dir) throws IOException {
    try (Stream<Path> files = Files.walk(dir)) {
      return files
          .filter(file -> file.getFileName().toString().startsWith("shuffle_"))
          .filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
          .count();
    }
  }
}
