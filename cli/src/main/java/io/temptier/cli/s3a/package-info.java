/** {@code temptier s3a}: S3A on Ceph's gateway. */
package io.temptier.cli.s3a;
