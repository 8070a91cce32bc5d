// SPDX-License-Identifier: Apache-2.0
/** A program of Tez: what it does in its containers, and the client that submits it. */
@NullMarked
package io.temptier.lab.tez;

import org.jspecify.annotations.NullMarked;
