// SPDX-License-Identifier: Apache-2.0
/** Examines a bucket and the settings it is reached with: {@code temptier s3a doctor}. */
package io.temptier.cli.s3a.doctor;
