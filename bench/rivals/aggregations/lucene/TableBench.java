import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.DoubleDocValuesField;
import org.apache.lucene.document.IntPoint;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.SortedDocValuesField;
import org.apache.lucene.document.SortedSetDocValuesField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.IndexOrDocValuesQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.SimpleCollector;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.util.BytesRef;

/**
 * Aggregations over Lucene's doc values as a child process of the rivals' bench: one segment, one
 * thread, no query cache. Cases arrive in the text form of table-cases.ts.
 */
public final class TableBench {
  private static final double BUFFER_IN_MEGABYTES = 1024;

  private DirectoryReader reader;
  private IndexSearcher searcher;

  public static void main(String[] args) throws IOException {
    TableBench bench = new TableBench();
    ChildLoop.serve(bench::answer);
  }

  private String answer(String[] request) throws Exception {
    switch (request[0]) {
      case "build":
        return build(Paths.get(request[1]), Paths.get(request[2]));
      case "open":
        return open(Paths.get(request[1]));
      case "answers":
        return answers(request);
      case "round":
        return round(request);
      default:
        throw new IllegalArgumentException("unknown request " + request[0]);
    }
  }

  private static String build(Path rows, Path folder) throws IOException {
    IndexWriterConfig config = new IndexWriterConfig();
    config.setUseCompoundFile(false);
    config.setRAMBufferSizeMB(BUFFER_IN_MEGABYTES);
    long count = 0;
    long cpu = ChildLoop.cpuTime();
    long start = System.nanoTime();
    long built;
    try (Directory directory = new MMapDirectory(folder);
        IndexWriter writer = new IndexWriter(directory, config)) {
      try (BufferedReader lines = Files.newBufferedReader(rows)) {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
          writer.addDocument(document(line));
          count++;
        }
      }
      writer.commit();
      built = System.nanoTime() - start;
      cpu = ChildLoop.cpuTime() - cpu;
      writer.forceMerge(1);
      writer.commit();
    }
    long merged = System.nanoTime() - start - built;
    return "{\"nanos\":" + built + ",\"cpuNanos\":" + cpu + ",\"mergeNanos\":" + merged
        + ",\"docs\":" + count + ",\"bytes\":" + ChildLoop.bytesByEnding(folder) + "}";
  }

  /** A line is: k10, k1000, k100000, tags with semicolons between, n, d, t, p. */
  private static Document document(String line) {
    String[] parts = line.split("\t", -1);
    Document document = new Document();
    document.add(new SortedDocValuesField("k10", new BytesRef(parts[0])));
    document.add(new SortedDocValuesField("k1000", new BytesRef(parts[1])));
    document.add(new SortedDocValuesField("k100000", new BytesRef(parts[2])));
    if (!parts[3].isEmpty())
      for (String tag : parts[3].split(";"))
        document.add(new SortedSetDocValuesField("tags", new BytesRef(tag)));
    document.add(new NumericDocValuesField("n", Long.parseLong(parts[4])));
    document.add(new DoubleDocValuesField("d", Double.parseDouble(parts[5])));
    document.add(new NumericDocValuesField("t", Long.parseLong(parts[6])));
    int share = Integer.parseInt(parts[7]);
    document.add(new IntPoint("p", share));
    document.add(new NumericDocValuesField("p", share));
    return document;
  }

  private String open(Path folder) throws IOException {
    long start = System.nanoTime();
    reader = DirectoryReader.open(new MMapDirectory(folder));
    searcher = new IndexSearcher(reader);
    searcher.setQueryCache(null);
    return "{\"nanos\":" + (System.nanoTime() - start) + ",\"segments\":" + reader.leaves().size()
        + "}";
  }

  private String answers(String[] request) throws IOException {
    long limit = Long.parseLong(request[3]) * 1_000_000;
    List<String> answers = new ArrayList<>();
    long start = System.nanoTime();
    for (String[][] levels : casesOf(request)) {
      if (System.nanoTime() - start > limit) break;
      List<String> numbers = new ArrayList<>();
      for (double number : run(levels)) numbers.add(String.valueOf(number));
      answers.add("{\"docs\":[],\"keys\":[" + String.join(",", numbers)
          + "],\"total\":null,\"exact\":true}");
    }
    return "{\"nanos\":" + (System.nanoTime() - start) + ",\"answers\":["
        + String.join(",", answers) + "]}";
  }

  private String round(String[] request) throws IOException {
    List<ChildLoop.Search> searches = new ArrayList<>();
    for (String[][] levels : casesOf(request)) searches.add(() -> run(levels).size());
    return ChildLoop.round(Long.parseLong(request[3]) * 1_000_000, searches);
  }

  private static List<String[][]> casesOf(String[] request) {
    if (!request[2].equals("1")) throw new UnsupportedOperationException("one segment, one thread");
    List<String[][]> cases = new ArrayList<>();
    for (int i = 4; i < request.length; i++) {
      String[] levels = request[i].split(" ");
      String[][] parts = new String[levels.length][];
      for (int j = 0; j < levels.length; j++) parts[j] = levels[j].split("\\|");
      cases.add(parts);
    }
    return cases;
  }

  private List<Double> run(String[][] levels) throws IOException {
    TableAggregator root = TableAggregators.of(levels, 0);
    searcher.search(query(levels[0][0]), new Gather(root));
    List<Double> numbers = new ArrayList<>();
    root.print(0, numbers);
    return numbers;
  }

  private static Query query(String rows) {
    switch (rows) {
      case "all":
        return new MatchAllDocsQuery();
      case "tenth":
        return new IndexOrDocValuesQuery(
            IntPoint.newRangeQuery("p", Integer.MIN_VALUE, 9),
            NumericDocValuesField.newSlowRangeQuery("p", Integer.MIN_VALUE, 9));
      case "hundredth":
        return IntPoint.newExactQuery("p", 7);
      default:
        throw new IllegalArgumentException("no rows " + rows);
    }
  }

  /** Hands every match to an aggregator. */
  private static final class Gather extends SimpleCollector {
    private final TableAggregator root;

    Gather(TableAggregator root) {
      this.root = root;
    }

    @Override
    protected void doSetNextReader(LeafReaderContext context) throws IOException {
      LeafReader leaf = context.reader();
      root.open(leaf);
    }

    @Override
    public void collect(int doc) throws IOException {
      root.collect(doc, 0);
    }

    @Override
    public ScoreMode scoreMode() {
      return ScoreMode.COMPLETE_NO_SCORES;
    }
  }
}
