// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.spark;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.spark.SparkContext;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;

/**
 * Queries of TPC-DS over tables of its schema, reduced to the columns that queries which shuffle
 * much name. The tables are made by hashes of row numbers, and so are the same in every run. Few
 * items and customers have most of the sales. The texts are those of Spark's own tests, whose jar
 * must be on the class path.
 */
public final class TpcdsWork {
  /** The digest of a query that failed. */
  public static final String FAILED = "failed";

  private static final int SALES_OF_AN_ITEM = 160;
  private static final int SALES_OF_A_CUSTOMER = 29;

  /** The share of store sales that the web has; the catalog has twice as much. */
  private static final int STORE_SALES_OF_A_WEB_SALE = 4;

  /**
   * Sales of five years from 1998 on, half of them of 2000, which most queries ask for. A document
   * has twelve lines, some of which all channels share.
   */
  private static final String SALES =
      "select cast(2450815 + if(pmod(xxhash64(doc, $channel, 1), 2) = 0, 730 +"
          + "   pmod(xxhash64(doc, $channel), 366), pmod(xxhash64(doc, $channel), 1826)) as int)"
          + "   as $p_sold_date_sk,"
          + " cast(1 + $items * pow(pmod(xxhash64(line, 1), 1000003) / 1000003, 2) as int)"
          + "   as $p_item_sk,"
          + " cast(1 + $customers * pow(pmod(xxhash64(doc, 2), 1000003) / 1000003, 2) as int)"
          + "   as $p_$customer,"
          + " doc as $p_$document,"
          + " cast(1 + pmod(xxhash64(line, 3), 100) as int) as $p_quantity,"
          + " cast(1 + pmod(xxhash64(line, 4), 9900) / 100 as decimal(7, 2)) as $p_wholesale_cost,"
          + " cast($p_wholesale_cost * (1 + pmod(xxhash64(line, 5), 100) / 100) as decimal(7, 2))"
          + "   as $p_list_price,"
          + " cast($p_list_price * pmod(xxhash64(line, 6), 101) / 100 as decimal(7, 2))"
          + "   as $p_sales_price,"
          + " cast($p_quantity * $p_wholesale_cost as decimal(7, 2)) as $p_ext_wholesale_cost,"
          + " cast($p_quantity * $p_list_price as decimal(7, 2)) as $p_ext_list_price,"
          + " cast($p_quantity * $p_sales_price as decimal(7, 2)) as $p_ext_sales_price,"
          + " cast($p_ext_list_price - $p_ext_sales_price as decimal(7, 2))"
          + "   as $p_ext_discount_amt,"
          + " $p_ext_sales_price as $p_net_paid,"
          + " cast($p_net_paid - $p_ext_wholesale_cost as decimal(7, 2)) as $p_net_profit"
          + " $more"
          + " from (select id, id div 12 as doc,"
          + "   if(id % 4 = 0, id, id + $channel * 1000000007) as line from $rows)";

  private static final String SHIPPED =
      ", ws_sold_date_sk + cast(pmod(xxhash64(id, 7), 90) as int) as ws_ship_date_sk,"
          + " cast(1 + pmod(xxhash64(doc, 8), $addresses) as int) as ws_ship_addr_sk,"
          + " cast(1 + pmod(xxhash64(doc, 9), 30) as int) as ws_web_site_sk,"
          + " cast(1 + pmod(xxhash64(id, 10), 5) as int) as ws_warehouse_sk,"
          + " cast(pmod(xxhash64(id, 11), 9900) / 100 as decimal(7, 2)) as ws_ext_ship_cost";

  private static final String DATES =
      "select cast(2450815 + id as int) as d_date_sk, date_add('1998-01-01', cast(id as int))"
          + " as d_date, year(d_date) as d_year, month(d_date) as d_moy, quarter(d_date) as d_qoy,"
          + " 12 * (d_year - 1900) + d_moy - 1 as d_month_seq from $rows";

  private static final String ITEMS =
      "select cast(1 + id as int) as i_item_sk, concat('item ', id, ' ', sha2(string(id), 256))"
          + " as i_item_desc, cast(1 + id % 9900 / 100 as decimal(7, 2)) as i_current_price,"
          + " cast(i_current_price / 2 as decimal(7, 2)) as i_wholesale_cost,"
          + " cast(1 + pmod(hash(id, 1), 10) as int) as i_category_id,"
          + " concat('category ', i_category_id) as i_category,"
          + " cast(1 + pmod(hash(id, 2), 16) as int) as i_class_id,"
          + " concat('class ', i_class_id) as i_class,"
          + " cast(1 + pmod(hash(id, 3), 700) as int) as i_brand_id,"
          + " concat('brand number ', i_brand_id) as i_brand,"
          + " concat('product ', sha1(string(id))) as i_product_name,"
          + " element_at(array('pale', 'red', 'blue', 'green'), 1 + pmod(hash(id, 4), 4))"
          + "   as i_color,"
          + " pmod(hash(id, 5), 100) as i_manager_id, 'Each' as i_units, 'medium' as i_size"
          + " from $rows";

  private static final String CUSTOMERS =
      "select cast(1 + id as int) as c_customer_sk, concat('AAAAAAAA', lpad(id, 8, '0'))"
          + " as c_customer_id, concat('first', pmod(hash(id, 1), 5000)) as c_first_name,"
          + " concat('last', pmod(hash(id, 2), 5000)) as c_last_name,"
          + " if(id % 2 = 0, 'Y', 'N') as c_preferred_cust_flag,"
          + " if(pmod(hash(id, 3), 10) = 0, 'UNITED STATES', 'CANADA') as c_birth_country,"
          + " concat('login', id) as c_login, concat(c_login, '@example.com') as c_email_address"
          + " from $rows";

  private static final String ADDRESSES =
      "select cast(1 + id as int) as ca_address_sk, if(pmod(hash(id, 1), 10) = 0, 'IL', 'TN')"
          + " as ca_state, 'United States' as ca_country,"
          + " lpad(pmod(hash(id, 2), 1000), 5, '0') as ca_zip from $rows";

  private static final String STORES =
      "select cast(1 + id as int) as s_store_sk, concat('AAAAAAAA', id) as s_store_id,"
          + " concat('store ', id) as s_store_name, 'TN' as s_state,"
          + " lpad(pmod(hash(id), 1000), 5, '0') as s_zip, cast(1 + id % 10 as int) as s_market_id"
          + " from $rows";

  private static final String SITES =
      "select cast(1 + id as int) as web_site_sk,"
          + " element_at(array('pri', 'able', 'ation'), 1 + cast(id % 3 as int))"
          + " as web_company_name from $rows";

  private final SparkSession session;
  private final String folder;

  /**
   * Queries tables.
   *
   * @param folder that they lie in, or are to be made in, in the cluster's file system
   */
  TpcdsWork(SparkContext context, String folder, int shuffles) {
    this.session = SparkSession.builder().sparkContext(context).getOrCreate();
    this.folder = folder;
    session.conf().set("spark.sql.shuffle.partitions", shuffles);
  }

  /**
   * Makes the tables.
   *
   * @param sales rows of {@code store_sales}; the other tables are reckoned from it
   */
  String make(long sales, int partitions) {
    long items = sales / SALES_OF_AN_ITEM;
    long customers = sales / SALES_OF_A_CUSTOMER;
    long web = sales / STORE_SALES_OF_A_WEB_SALE;
    String all =
        SALES
            .replace("$items", Long.toString(items))
            .replace("$customers", Long.toString(customers));
    String inStore = ", cast(1 + pmod(xxhash64(doc, 7), 100) as int) as ss_store_sk";
    String shipped = SHIPPED.replace("$addresses", Long.toString(customers / 2));
    table(
        "store_sales",
        channel(all, 1, "ss", "customer_sk", "ticket_number", inStore),
        sales,
        partitions);
    table(
        "catalog_sales",
        channel(all, 2, "cs", "bill_customer_sk", "order_number", ""),
        2 * web,
        partitions);
    table(
        "web_sales",
        channel(all, 3, "ws", "bill_customer_sk", "order_number", shipped),
        web,
        partitions);
    table("store_returns", returned("store_sales", "ss", "sr", "ticket_number"), 0, partitions);
    table("catalog_returns", returned("catalog_sales", "cs", "cr", "order_number"), 0, partitions);
    table("web_returns", returned("web_sales", "ws", "wr", "order_number"), 0, partitions);
    table("date_dim", DATES, 2191, 1);
    table("item", ITEMS, items, 1);
    table("customer", CUSTOMERS, customers, 1);
    table("customer_address", ADDRESSES, customers / 2, 1);
    table("store", STORES, 100, 1);
    table("web_site", SITES, 30, 1);
    return "made";
  }

  private static String channel(
      String sales, int channel, String prefix, String customer, String document, String more) {
    return sales
        .replace("$channel", Integer.toString(channel))
        .replace("$more", more)
        .replace("$customer", customer)
        .replace("$document", document)
        .replace("$p_", prefix + "_");
  }

  /** Every tenth line. */
  private String returned(String sales, String from, String prefix, String document) {
    return String.format(
        "select %2$s_item_sk as %3$s_item_sk, %2$s_%4$s as %3$s_%4$s from parquet.`%5$s/%1$s`"
            + " where pmod(hash(%2$s_%4$s, %2$s_item_sk), 10) = 0",
        sales, from, prefix, document, folder);
  }

  private void table(String name, String query, long rows, int partitions) {
    session
        .sql(query.replace("$rows", "range(0, " + rows + ", 1, " + partitions + ")"))
        .write()
        .mode(SaveMode.Overwrite)
        .parquet(folder + "/" + name);
  }

  /**
   * Runs one query, and forgets its shuffles.
   *
   * @return the number of rows and a hash of them, whatever order they came in; or {@link #FAILED}
   */
  String query(String name) throws IOException {
    Path tables = new Path(folder);
    for (FileStatus table :
        tables.getFileSystem(session.sparkContext().hadoopConfiguration()).listStatus(tables)) {
      session
          .read()
          .parquet(table.getPath().toString())
          .createOrReplaceTempView(table.getPath().getName());
    }
    String query = text(name);
    try {
      List<String> rows =
          session.sql(query).collectAsList().stream()
              .map(row -> row.mkString(","))
              .sorted()
              .collect(Collectors.toList());
      return rows.size() + " rows " + SparkWork.digest(rows);
    } catch (Exception e) {
      // Scala throws checked ones that it does not declare.
      System.out.println(name + ": " + e + ", caused by " + e.getCause());
      return FAILED;
    } finally {
      // Spark's cleaner takes the shuffles that nothing refers to.
      System.gc();
    }
  }

  private static String text(String name) throws IOException {
    String file = "/tpcds/" + name + ".sql";
    try (InputStream in = TpcdsWork.class.getResourceAsStream(file)) {
      if (in == null) {
        throw new FileNotFoundException(file + " is not on the class path");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
