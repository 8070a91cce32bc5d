// SPDX-License-Identifier: Apache-2.0
/**
 * The watch of a node's devices: how they answer, which is slow. Imports the kernel's numbers;
 * knows no service.
 */
package io.temptier.hadoop.node.device;
