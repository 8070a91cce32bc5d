// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.s3a;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.github.luben.zstd.Zstd;
import io.airlift.compress.Decompressor;
import io.temptier.bench.s3a.client.S3aClient;
import io.temptier.bench.s3a.client.S3aClient.Request;
import io.temptier.bench.s3a.client.S3aClient.RequestResult;
import io.temptier.lab.cluster.AskedJvm;
import io.temptier.lab.cluster.HadoopRuntime;
import io.temptier.lab.process.JavaCommand;
import io.temptier.s3a.profile.Settings;
import io.temptier.tier.text.Durations;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.apache.orc.OrcFile;
import org.apache.orc.OrcProto;
import org.apache.orc.impl.HadoopShims;
import org.apache.parquet.hadoop.ParquetReader;
import org.locationtech.jts.geom.Geometry;

/** The JVM of an arm, which runs {@link S3aClient}. */
final class ArmProcess {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** A class of each jar of the readers of columns. */
  private static final List<Class<?>> READERS =
      List.of(
          ParquetReader.class,
          OrcFile.class,
          OrcProto.class,
          HadoopShims.class,
          Decompressor.class,
          Zstd.class,
          Geometry.class);

  /** Half of what Hadoop gives a container by default. */
  private static final String HEAP = "-Xmx512m";

  private ArmProcess() {}

  static AskedJvm start(HadoopRuntime runtime, Path folder, String name, Map<String, String> conf)
      throws IOException {
    // Hadoop's jars first, so that nothing of ours or Parquet's comes before them.
    List<Path> classPath = new ArrayList<>(runtime.jars());
    classPath.add(HadoopRuntime.origin(S3aClient.class));
    for (Class<?> one : READERS) {
      classPath.add(HadoopRuntime.origin(one));
    }
    if (conf.containsKey(Settings.FACTORY)) {
      classPath.add(HadoopRuntime.origin(Settings.class));
      classPath.add(HadoopRuntime.origin(Durations.class));
    }
    List<String> options = List.of(HEAP, "-Djava.io.tmpdir=" + folder);
    UnaryOperator<List<String>> plain = UnaryOperator.identity();
    return AskedJvm.start(
        new AskedJvm.Program(name, JavaCommand.home(), options, classPath, S3aClient.class, plain),
        folder,
        conf);
  }

  static RequestResult ask(AskedJvm jvm, Request request) throws IOException {
    String line = jvm.ask(MAPPER.writeValueAsString(request));
    RequestResult answer = MAPPER.readValue(line, RequestResult.class);
    if (!answer.failure().isEmpty()) {
      throw jvm.failure(request.work().label(), answer.failure(), null);
    }
    return answer;
  }
}
