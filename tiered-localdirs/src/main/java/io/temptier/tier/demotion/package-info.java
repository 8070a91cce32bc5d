// SPDX-License-Identifier: Apache-2.0
/** Brings complete blocks of Spark down, for executors and for the NodeManager. */
package io.temptier.tier.demotion;
