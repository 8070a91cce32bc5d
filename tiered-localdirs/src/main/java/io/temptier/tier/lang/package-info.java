// SPDX-License-Identifier: Apache-2.0
/** Collections and strings that Java itself got after Java 8. Imports nothing of TempTier. */
package io.temptier.tier.lang;
