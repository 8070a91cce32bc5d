// SPDX-License-Identifier: Apache-2.0
/**
 * A real Hadoop cluster on one machine: NameNode, DataNode, ResourceManager, NodeManagers and
 * JobHistoryServer, each a JVM of its own made of Hadoop's published jars, on the loopback address,
 * with TempTier's jars dropped in as an operator would. Nothing of it outlives the JVM that started
 * it.
 */
@NullMarked
package io.temptier.lab.cluster;

import org.jspecify.annotations.NullMarked;
