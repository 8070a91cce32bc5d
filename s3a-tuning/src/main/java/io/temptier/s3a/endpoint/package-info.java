/**
 * Spreads S3A's requests over several gateways without a load balancer: {@link
 * io.temptier.s3a.endpoint.SpreadingS3ClientFactory} is where S3A comes in.
 */
package io.temptier.s3a.endpoint;
