/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
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
