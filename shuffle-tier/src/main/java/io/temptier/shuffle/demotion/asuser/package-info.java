// SPDX-License-Identifier: Apache-2.0
/**
 * A process of TempTier's that runs as the user of an application: how the NodeManager starts it,
 * tells it what to do, hears of it, and ends it. Neither side trusts the other with more than the
 * user's own files.
 */
package io.temptier.shuffle.demotion.asuser;
