// SPDX-License-Identifier: Apache-2.0
/** S3A on the tiers of a node. */
package io.temptier.s3a;
