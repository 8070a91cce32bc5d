// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle;

import org.apache.hadoop.mapred.ShuffleHandler;

/**
 * A shuffle handler that the contract is held against, with what it may do differently. The
 * defaults are what the stock handler does; an override says what is done better, and why that is
 * allowed.
 */
interface HandlerUnderTest {
  /** A handler that is not inited yet. */
  ShuffleHandler create();

  /**
   * Stock appends the map id to a path as it is, so that a request signed by any job gets every
   * file.out with an index that the NodeManager may read, inside the local dirs or not. Only the
   * owner check of Kerberos mode stands in its way. No fetcher sends such an id.
   */
  default boolean servesOutsideTheJob() {
    return true;
  }

  /**
   * Stock's cache of indices goes by the map id alone: of two jobs with a folder of the same name,
   * the second gets bytes of its own file at the first one's offsets. Attempt ids hold the job's
   * number, so that it takes a job that means harm.
   */
  default boolean mixesUpEqualMapIds() {
    return true;
  }

  /** Stock multiplies the reduce by 24 in an int: of the lowest int there is nothing left, a 0. */
  default boolean servesTheLowestReduce() {
    return true;
  }

  /** Stock writes a response without a body for an empty list of maps, and never flushes it. */
  default boolean answersAnEmptyListOfMaps() {
    return false;
  }

  /** Stock keeps the path of an output for minutes, and fails when nothing is there any more. */
  default boolean findsMovedOutputs() {
    return false;
  }

  /**
   * Without transferTo stock never learns that a segment has been sent (its file region does not
   * count what it transferred itself), and sends it again until the client goes away.
   */
  default boolean endsSegmentsWithoutTransferTo() {
    return false;
  }

  /**
   * Stock answers a second request at once, so that its header lands among the segments of the
   * first one's maps, if that one is still being sent. No fetcher sends one.
   */
  default boolean keepsPipelinedRequestsApart() {
    return false;
  }

  /**
   * Netty closes a connection when it reads the client's end of it. Stock has answered by then, if
   * the answer fits into the socket's buffer, since it does so on the thread that reads.
   */
  default boolean answersAClientThatHasClosedItsSide() {
    return true;
  }

  /**
   * Stock's handler of a connection throws at some requests, such as a percent sign with no number
   * or a negative reduce, and Netty hands that back to it as an error of the connection.
   */
  default boolean throwsAtOddRequests() {
    return true;
  }

  /** Stock counts a response as begun once for each of its maps, and as ended once. */
  default boolean countsResponsesThatEnded() {
    return false;
  }

  /**
   * Stock sends what an index says, whatever that is: of a negative length it announces a negative
   * answer. It reads an index of any length into memory, and waits for the writer of a pipe.
   */
  default boolean checksIndexes() {
    return false;
  }

  /** Stock serves what a link leads to, if no owner is checked, as with Kerberos. */
  default boolean followsLinks() {
    return true;
  }

  /** Bytes of segments that were read and not yet sent; stock keeps no account. */
  default long segmentBytes(ShuffleHandler handler) {
    return 0;
  }
}
