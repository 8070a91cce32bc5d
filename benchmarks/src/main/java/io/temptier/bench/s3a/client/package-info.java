// SPDX-License-Identifier: Apache-2.0
/** What runs in the JVM of one arm: it measures itself, on request, with one Hadoop's S3A. */
@NullMarked
package io.temptier.bench.s3a.client;

import org.jspecify.annotations.NullMarked;
