// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.history;

import java.util.List;
import java.util.Map;

/**
 * What {@code history} has to say.
 *
 * @param source where it comes from: local dirs, nodes or a ResourceManager
 * @param applications those asked for, the one that spilled most first
 * @param left applications that were asked for and are not among them, being too many
 * @param silent nodes that did not tell, each with why
 * @param linesSkipped lines that could not be read, or are of a later version
 */
record HistoryReport(
    String source,
    List<ApplicationHistory> applications,
    int left,
    Map<String, String> silent,
    long linesSkipped) {}
