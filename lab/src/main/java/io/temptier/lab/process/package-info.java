// SPDX-License-Identifier: Apache-2.0
/** Other programs and JVMs: how they are started, and ended with the process that started them. */
@NullMarked
package io.temptier.lab.process;

import org.jspecify.annotations.NullMarked;
