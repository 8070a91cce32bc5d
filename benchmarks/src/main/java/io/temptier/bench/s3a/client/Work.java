// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.s3a.client;

/** All that an arm can be asked for. */
public enum Work {
  /** Makes the object that is read; count is its megabytes. */
  OBJECT(Data::makeObject),
  /** Makes the files of 16 megabytes that are opened; count is how many. */
  FILES(Data::makeFiles),
  /** Makes the Parquet file that is read; count is its rows. */
  TABLE(ParquetTable::make),
  /** Reads half a megabyte at each of count random places. */
  RANDOM(Reads::random),
  /** Reads count pieces, each some hundred kilobytes behind the last. */
  SKIPS(Reads::skips),
  /** Opens count files, of each reads the footer and then some columns. */
  FOOTERS(Reads::footers),
  /** Reads all of it, count times. */
  SCAN(Reads::scan),
  /** Reads three columns of the Parquet file, count times, by Parquet's own reader. */
  PARQUET(ParquetTable::read),
  /** Asks for eight ranges at once, count times. */
  VECTORED(Reads::vectored),
  /** Count queries: five of six read columns, the sixth all of a file. */
  QUERIES(Reads::queries),
  /** Writes a file of count megabytes. */
  UPLOAD(Data::upload),
  /** Runs Hadoop's TeraGen; count is its rows. */
  TERAGEN(TeraGenJob::run),
  /** Removes the folder. */
  REMOVE(Data::remove);

  private final Task task;

  Work(Task task) {
    this.task = task;
  }

  Task task() {
    return task;
  }
}
