// SPDX-License-Identifier: Apache-2.0
/**
 * How values are written: sizes, durations, bounds, findings for people, and JSON for JMX. Imports
 * nothing but {@code tier.lang}.
 */
package io.temptier.tier.text;
