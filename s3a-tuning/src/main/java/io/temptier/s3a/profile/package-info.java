/**
 * Settings of S3A for a workload on Ceph's gateway: what to set, why, on whose word, for which
 * Hadoop, and what it costs. Pure: nothing here asks a store or a disk.
 */
package io.temptier.s3a.profile;
