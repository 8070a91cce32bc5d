// SPDX-License-Identifier: Apache-2.0
/** What Java's own collections and strings got after Java 8. Imports nothing of TempTier. */
package io.temptier.tier.lang;
