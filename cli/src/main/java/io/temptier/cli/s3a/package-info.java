/** {@code temptier s3a}: S3A on Ceph's gateway. */
@NullMarked
package io.temptier.cli.s3a;

import org.jspecify.annotations.NullMarked;
