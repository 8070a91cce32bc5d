// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle;

import org.apache.hadoop.mapred.ShuffleHandler;

/** Ours, and where it betters stock's. */
enum TieredHandler implements HandlerUnderTest {
  TIERED;

  @Override
  public ShuffleHandler create() {
    return new LaneShuffleHandler();
  }

  /** A map id is one plain name in the job's own folder. */
  @Override
  public boolean servesOutsideTheJob() {
    return false;
  }

  /** Outputs are known by user, application and attempt. */
  @Override
  public boolean mixesUpEqualMapIds() {
    return false;
  }

  /** There is no such partition. */
  @Override
  public boolean servesTheLowestReduce() {
    return false;
  }

  /** What vanished is looked for once more, in every dir. */
  @Override
  public boolean findsMovedOutputs() {
    return true;
  }

  /** It counts what it sends. */
  @Override
  public boolean endsSegmentsWithoutTransferTo() {
    return true;
  }

  /** One answer at a time per connection. */
  @Override
  public boolean keepsPipelinedRequestsApart() {
    return true;
  }

  /**
   * Lanes read while the event loop goes on, and so may learn of the client's end before there is
   * an answer. Fetchers keep their side open until they have what they want.
   */
  @Override
  public boolean answersAClientThatHasClosedItsSide() {
    return false;
  }

  /** It says what is wrong with them. */
  @Override
  public boolean throwsAtOddRequests() {
    return false;
  }

  /** Each response once, however it ends. */
  @Override
  public boolean countsResponsesThatEnded() {
    return true;
  }

  /** What does not lie in the data file is an error, and so is what is no regular file. */
  @Override
  public boolean checksIndexes() {
    return true;
  }

  /** Only those to the same output in another local dir, which demotion leaves. */
  @Override
  public boolean followsLinks() {
    return false;
  }

  @Override
  public long segmentBytes(ShuffleHandler handler) {
    return ((LaneShuffleHandler) handler).segmentBytes();
  }
}
