// SPDX-License-Identifier: Apache-2.0
/** Accounts of a machine, and a container executor that runs tasks as them. Needs root. */
@NullMarked
package io.temptier.lab.users;

import org.jspecify.annotations.NullMarked;
