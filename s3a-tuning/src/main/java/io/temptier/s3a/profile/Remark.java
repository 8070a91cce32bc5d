// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.profile;

/**
 * Something to know that is no setting: most often a property left out on purpose.
 *
 * @param key the property, or what it is about
 * @param text why it is left out, or what to do
 */
public record Remark(String key, String text) {}
