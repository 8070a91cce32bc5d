// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.experiment;

import io.temptier.bench.experiment.NodeSample.DiskRate;
import io.temptier.bench.report.Figures;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The result for spreadsheets. */
final class ExperimentCsv {
  private ExperimentCsv() {}

  /**
   * A line for each trial.
   *
   * @param figures that have a column each
   */
  static String trials(List<Trial> trials, List<Figure> figures) {
    StringBuilder csv =
        new StringBuilder(
            "setting,round,arm,state,validated,seconds,client_seconds,failed_tasks,cpu_per_real,"
                + "peak_temp_bytes,peak_fast_bytes");
    figures.forEach(figure -> csv.append(',').append(figure.name()));
    csv.append('\n');
    for (Trial trial : trials) {
      csv.append(
          String.format(
              Locale.ROOT,
              "%s,%d,%s,%s,%b,%.2f,%.2f,%d,%.3f,%d,%d",
              trial.id().setting(),
              trial.id().round(),
              trial.id().arm().label(),
              trial.state(),
              trial.validated(),
              trial.seconds(),
              trial.clientSeconds(),
              trial.failedTasks(),
              trial.cpuPerReal(),
              trial.peakTempBytes(),
              trial.peakFastBytes()));
      for (Figure figure : figures) {
        Double value = trial.figure(figure.name());
        csv.append(',').append(value == null ? "" : Figures.round(value));
      }
      csv.append('\n');
    }
    return csv.toString();
  }

  /** A line for each disk in each second of each trial. */
  static String moments(List<Trial> trials) {
    StringBuilder csv =
        new StringBuilder(
            "setting,round,arm,second,cpu,io_wait,temp_fast_bytes,temp_slow_bytes,disk,read_mbps,"
                + "written_mbps,busy\n");
    for (Trial trial : trials) {
      for (NodeSample moment : trial.moments()) {
        for (Map.Entry<String, DiskRate> disk : moment.disks().entrySet()) {
          DiskRate rate = disk.getValue();
          csv.append(
              String.format(
                  Locale.ROOT,
                  "%s,%d,%s,%.2f,%.3f,%.3f,%d,%d,%s,%.3f,%.3f,%.3f%n",
                  trial.id().setting(),
                  trial.id().round(),
                  trial.id().arm().label(),
                  moment.seconds(),
                  moment.cpu(),
                  moment.ioWait(),
                  moment.tempBytes().fast(),
                  moment.tempBytes().slow(),
                  disk.getKey(),
                  rate.readMbps(),
                  rate.writtenMbps(),
                  rate.busy()));
        }
      }
    }
    return csv.toString();
  }
}
