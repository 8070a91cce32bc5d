// SPDX-License-Identifier: Apache-2.0
/**
 * Block devices as the kernel shows them: their medium, and how long their requests take.
 *
 * <p>May import media and the operating system. Another kind of device: a case of {@code
 * BlockDevices}, with a folder of {@code /sys} in its test; another type of file system: a row of
 * {@code file-systems.txt}.
 */
package io.temptier.tier.kernel;
