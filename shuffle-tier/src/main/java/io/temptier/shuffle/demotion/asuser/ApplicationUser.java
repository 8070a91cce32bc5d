// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion.asuser;

/**
 * Whose files an application's are.
 *
 * @param application such as {@code application_1700000000000_0001}
 * @param user who submitted it, after whom its folders are called
 * @param runAs the account that its containers run as, which owns the folders
 * @param uid of that account
 */
public record ApplicationUser(String application, String user, String runAs, int uid) {}
