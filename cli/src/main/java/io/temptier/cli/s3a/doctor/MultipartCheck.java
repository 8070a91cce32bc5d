// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.s3a.doctor;

import io.temptier.tier.Finding;
import io.temptier.tier.Finding.Severity;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.fs.MultipartUploader;
import org.apache.hadoop.fs.PartHandle;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.UploadHandle;

/** Whether files larger than a part can be uploaded: begun, sent, completed; and given up. */
final class MultipartCheck implements StoreCheck {
  private static final int BYTES = 1 << 10;
  private static final long PATIENCE_SECONDS = 20;

  @Override
  public Topic topic() {
    return Topic.WRITES;
  }

  @Override
  public String question() {
    return "upload a file in parts";
  }

  @Override
  public List<Finding> check(Visit visit) throws IOException {
    Path file = visit.scratch("parts");
    Path given = visit.scratch("given-up");
    try (MultipartUploader uploader = visit.fs().createMultipartUploader(visit.scratch()).build()) {
      UploadHandle abandoned = get(uploader.startUpload(given));
      get(uploader.abort(abandoned, given));
      UploadHandle upload = get(uploader.startUpload(file));
      PartHandle part =
          get(
              uploader.putPart(
                  upload, 1, true, file, new ByteArrayInputStream(new byte[BYTES]), BYTES));
      get(uploader.complete(upload, file, Map.of(1, part)));
    }
    long length = visit.fs().getFileStatus(file).getLen();
    return length == BYTES
        ? List.of()
        : List.of(
            new Finding(
                Severity.ERROR,
                "multipart upload",
                length + " bytes",
                "the store's answer",
                "An upload of " + BYTES + " bytes in parts has another length.",
                "Do not use this store for data: look at its log."));
  }

  private static <T> T get(Future<T> future) throws IOException {
    try {
      return future.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } catch (TimeoutException e) {
      throw new IOException("timed out after " + PATIENCE_SECONDS + " s", e);
    } catch (ExecutionException | CompletionException e) {
      Throwable cause = e.getCause();
      throw cause instanceof IOException io ? io : new IOException(String.valueOf(cause), e);
    }
  }
}
