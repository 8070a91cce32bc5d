// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli;

import io.temptier.tier.LocalDirsParser;
import java.nio.file.Path;
import java.nio.file.Paths;
import picocli.CommandLine.ITypeConverter;

/**
 * Takes a local dir on the command line as {@code yarn.nodemanager.local-dirs} does, {@code
 * file:///nvme0/yarn} too, and beyond that relative to the working dir.
 */
public final class LocalDirConverter implements ITypeConverter<Path> {
  @Override
  public Path convert(String dir) {
    return LocalDirsParser.pathOf(dir).orElseGet(() -> Paths.get(dir).toAbsolutePath().normalize());
  }
}
