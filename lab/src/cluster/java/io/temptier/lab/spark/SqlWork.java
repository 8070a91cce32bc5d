// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.spark;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.SparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * Queries over generated tables, as reports ask them: a join of two large tables, an aggregation of
 * many groups, the best of each group by a window, and a sort of wide rows.
 */
final class SqlWork {
  private static final int SALES_OF_A_CUSTOMER = 4;

  private static final List<String> QUERIES =
      List.of(
          "select region, count(*), sum(cents), sum(length(name) + length(note)) from sales"
              + " join customers using (customer) group by region order by region",
          "select count(*), sum(cents * sales) from (select customer, item, sum(cents) as cents,"
              + " count(*) as sales from sales group by customer, item)",
          "select count(*), sum(cents), sum(length(note)) from (select *, row_number() over"
              + " (partition by customer order by cents, sale) as place from sales)"
              + " where place <= 2",
          "select sum(hash(note, place)) from (select note, row_number() over (partition by"
              + " item order by note) as place from sales)");

  private final SparkSession session;

  SqlWork(SparkContext context, long rows, int partitions, int shuffles) {
    session = SparkSession.builder().sparkContext(context).getOrCreate();
    session.conf().set("spark.sql.shuffle.partitions", shuffles);
    // Both tables of a join are shuffled, as those of a warehouse are.
    session.conf().set("spark.sql.autoBroadcastJoinThreshold", -1);
    long customers = Math.max(1, rows / SALES_OF_A_CUSTOMER);
    view(
        "sales",
        "id as sale, pmod(hash(id), "
            + customers
            + ") as customer, pmod(hash(id, 1), 1000) as item,"
            + " pmod(hash(id, 2), 100000) as cents, repeat(cast(id as string), 8) as note",
        rows,
        partitions);
    view(
        "customers",
        "cast(id as int) as customer, pmod(hash(id, 3), 50) as region,"
            + " repeat(cast(id as string), 8) as name",
        customers,
        partitions);
  }

  private void view(String name, String columns, long rows, int partitions) {
    session
        .sql("select " + columns + " from range(0, " + rows + ", 1, " + partitions + ")")
        .createOrReplaceTempView(name);
  }

  String digest() {
    return digest(QUERIES);
  }

  /** Shuffles rows of five numbers, 40 bytes that no codec makes smaller, and adds them up. */
  String distribute(long rows, int partitions) {
    return digest(
        List.of(
            String.format(
                "select count(*), sum(a %% 997), sum(b %% 997), sum(c %% 997), sum(d %% 997) from"
                    + " (select id, xxhash64(id) as a, xxhash64(id, id) as b, xxhash64(id, id, id)"
                    + " as c, xxhash64(id, id, id, id) as d from range(0, %d, 1, %d) distribute by"
                    + " id)",
                rows, partitions)));
  }

  private String digest(List<String> queries) {
    List<String> rows = new ArrayList<>();
    for (String query : queries) {
      Dataset<Row> result = session.sql(query);
      result.collectAsList().forEach(row -> rows.add(row.mkString(",")));
      // As it ran in the end: an engine's operators say which code ran.
      System.out.println(result.queryExecution().executedPlan());
    }
    return SparkWork.digest(rows);
  }
}
