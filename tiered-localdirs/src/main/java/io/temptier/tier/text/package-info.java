// SPDX-License-Identifier: Apache-2.0
/**
 * Values as text: sizes, durations, bounds, findings for people, JSON for JMX, and the tables that
 * texts come from. Imports nothing but {@code tier.lang}.
 */
package io.temptier.tier.text;
