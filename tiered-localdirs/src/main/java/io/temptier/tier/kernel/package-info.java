// SPDX-License-Identifier: Apache-2.0
/**
 * What the kernel says of block devices: their medium, and how long their requests take.
 */
package io.temptier.tier.kernel;
