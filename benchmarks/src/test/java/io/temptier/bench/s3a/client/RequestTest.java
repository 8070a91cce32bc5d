// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.s3a.client;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.temptier.bench.s3a.client.S3aClient.Request;
import io.temptier.bench.s3a.client.S3aClient.RequestResult;
import java.io.IOException;
import org.junit.jupiter.api.Test;

final class RequestTest {
  @Test
  void linesAreReadAsTheyWereWritten() throws IOException {
    ObjectMapper mapper = new ObjectMapper();
    Request request = new Request(Work.QUERIES, 54, 3, "s3a://bucket/a folder");
    assertEquals(request, mapper.readValue(mapper.writeValueAsString(request), Request.class));
    String line = mapper.writeValueAsString(RequestResult.failed("no such\nfile"));
    assertEquals(1, line.lines().count());
    assertEquals("no such\nfile", mapper.readValue(line, RequestResult.class).failure());
  }
}
