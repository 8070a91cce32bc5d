// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle;

/** TempTier's handler keeps the contract of Hadoop's, but where it betters it. */
final class TieredShuffleHandlerTest extends ShuffleHandlerContract {}
