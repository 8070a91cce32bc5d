// SPDX-License-Identifier: Apache-2.0
/** Brings complete blocks of Spark down, for executors and for the NodeManager. */
@NullMarked
package io.temptier.tier.demotion;

import org.jspecify.annotations.NullMarked;
