import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.lucene.analysis.CharArraySet;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.IntPoint;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.SortedDocValuesField;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LogByteSizeMergePolicy;
import org.apache.lucene.index.MultiTerms;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.queries.function.FunctionScoreQuery;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.DisjunctionMaxQuery;
import org.apache.lucene.search.FieldDoc;
import org.apache.lucene.search.FuzzyQuery;
import org.apache.lucene.search.IndexOrDocValuesQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.PrefixQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryRescorer;
import org.apache.lucene.search.RegexpQuery;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.WildcardQuery;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.util.BytesRef;

/**
 * Lucene as a child process of the rivals' bench. Answers the requests of protocol.ts, one line
 * each, on standard output; queries arrive in the text form of query.ts.
 *
 * <p>Set up as a careful user would for speed: memory-mapped files, one segment, no query cache, one
 * thread unless slices are asked for. Documents keep the order of the file, so that a document's id
 * is its line number, as in the engine that it is compared with.
 */
public final class RivalBench {
  private static final int TOP = 10;
  private static final int RESCORED = 100;
  private static final int COUNT_LIMIT = 10_000;
  /** Larger than any corpus here needs: one segment comes out without merging. */
  private static final double BUFFER_IN_MEGABYTES = 1024;
  private static final String ID_CHARS =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

  private DirectoryReader reader;
  /** The same documents in several segments, which slices need; null until it is opened. */
  private DirectoryReader slicedReader;
  private final Map<Integer, IndexSearcher> searchers = new HashMap<>();
  private final List<ExecutorService> executors = new ArrayList<>();

  public static void main(String[] args) throws IOException {
    RivalBench bench = new RivalBench();
    ChildLoop.serve(bench::answer);
    for (ExecutorService executor : bench.executors) executor.shutdownNow();
  }

  private String answer(String[] request) throws Exception {
    switch (request[0]) {
      case "build":
        return build(
            Paths.get(request[1]),
            Paths.get(request[2]),
            Integer.parseInt(request[3]),
            Integer.parseInt(request[4]));
      case "open":
        return open(Paths.get(request[1]), request.length > 2 ? Paths.get(request[2]) : null);
      case "terms":
        return writeTerms(Paths.get(request[1]));
      case "answers":
        return answers(new Setting(request), queriesFrom(request));
      case "round":
        return round(new Setting(request), queriesFrom(request));
      default:
        throw new IllegalArgumentException("unknown request " + request[0]);
    }
  }

  // Building

  private String build(Path documents, Path folder, int segments, int threads) throws Exception {
    long count = 0;
    try (BufferedReader lines = Files.newBufferedReader(documents)) {
      while (lines.readLine() != null) count++;
    }
    IndexWriterConfig config = new IndexWriterConfig(new StandardAnalyzer(CharArraySet.EMPTY_SET));
    config.setUseCompoundFile(false);
    if (segments == 1) {
      // Keeps the order of documents, which the default policy does not.
      LogByteSizeMergePolicy policy = new LogByteSizeMergePolicy();
      policy.setNoCFSRatio(0);
      config.setMergePolicy(policy);
      config.setRAMBufferSizeMB(BUFFER_IN_MEGABYTES);
    } else {
      config.setMergePolicy(NoMergePolicy.INSTANCE);
      config.setMaxBufferedDocs((int) Math.max(2, (count + segments - 1) / segments));
      config.setRAMBufferSizeMB(IndexWriterConfig.DISABLE_AUTO_FLUSH);
    }
    long cpu = ChildLoop.cpuTime();
    long start = System.nanoTime();
    long built;
    try (Directory directory = new MMapDirectory(folder);
        IndexWriter writer = new IndexWriter(directory, config)) {
      try (BufferedReader lines = Files.newBufferedReader(documents)) {
        if (threads == 1) addAll(writer, lines, 1);
        else addByThreads(writer, lines, threads);
      }
      writer.commit();
      built = System.nanoTime() - start;
      cpu = ChildLoop.cpuTime() - cpu;
      if (segments == 1) writer.forceMerge(1);
      writer.commit();
    }
    long merged = System.nanoTime() - start - built;
    return "{\"nanos\":" + built + ",\"cpuNanos\":" + cpu + ",\"mergeNanos\":" + merged
        + ",\"docs\":" + count + ",\"bytes\":" + ChildLoop.bytesByEnding(folder) + "}";
  }

  private static Void addAll(IndexWriter writer, BufferedReader lines, int seed)
      throws IOException {
    Random random = new Random(seed);
    // Readers of lines are safe for several threads.
    for (String line = lines.readLine(); line != null; line = lines.readLine())
      writer.addDocument(document(line, random));
    return null;
  }

  private static void addByThreads(IndexWriter writer, BufferedReader lines, int threads)
      throws Exception {
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    try {
      List<Future<Void>> all = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        int seed = i + 1;
        all.add(executor.submit(() -> addAll(writer, lines, seed)));
      }
      for (Future<Void> each : all) each.get();
    } finally {
      executor.shutdownNow();
    }
  }

  /** A line is: package, words, date, head, body. */
  private static Document document(String line, Random random) {
    String[] parts = line.split("\t", 5);
    Document document = new Document();
    document.add(new StringField("_id", id(random), Field.Store.YES));
    document.add(new StoredField("_source", new BytesRef(line)));
    document.add(new TextField("head", parts[3], Field.Store.NO));
    document.add(new TextField("body", parts[4], Field.Store.NO));
    document.add(new StringField("package", parts[0], Field.Store.NO));
    document.add(new SortedDocValuesField("package", new BytesRef(parts[0])));
    int words = Integer.parseInt(parts[1]);
    document.add(new IntPoint("words", words));
    document.add(new NumericDocValuesField("words", words));
    long date = Long.parseLong(parts[2]);
    document.add(new LongPoint("date", date));
    document.add(new NumericDocValuesField("date", date));
    return document;
  }

  /** As long as the ids that the other engine makes. */
  private static String id(Random random) {
    char[] chars = new char[20];
    for (int i = 0; i < chars.length; i++) chars[i] = ID_CHARS.charAt(random.nextInt(64));
    return new String(chars);
  }

  // Opening

  private String open(Path folder, Path slicedFolder) throws IOException {
    long start = System.nanoTime();
    reader = DirectoryReader.open(new MMapDirectory(folder));
    if (slicedFolder != null) slicedReader = DirectoryReader.open(new MMapDirectory(slicedFolder));
    return "{\"nanos\":" + (System.nanoTime() - start) + ",\"segments\":" + reader.leaves().size()
        + "}";
  }

  private String writeTerms(Path file) throws IOException {
    Terms terms = MultiTerms.getTerms(reader, "body");
    TermsEnum all = terms.iterator();
    long count = 0;
    try (BufferedWriter out = Files.newBufferedWriter(file)) {
      for (BytesRef term = all.next(); term != null; term = all.next()) {
        out.write(term.utf8ToString() + "\t" + all.docFreq() + "\t" + all.totalTermFreq() + "\n");
        count++;
      }
    }
    return "{\"terms\":" + count + "}";
  }

  private IndexSearcher searcher(int slices) {
    return searchers.computeIfAbsent(slices, this::newSearcher);
  }

  private IndexSearcher newSearcher(int slices) {
    IndexSearcher searcher;
    if (slices == 1) searcher = new IndexSearcher(reader);
    else {
      if (slicedReader == null) throw new IllegalStateException("no index of several segments");
      ExecutorService executor = Executors.newFixedThreadPool(slices);
      executors.add(executor);
      searcher = LuceneApi.sliced(slicedReader, executor, slices);
    }
    searcher.setQueryCache(null);
    return searcher;
  }

  // Searching

  /** How a request's queries run. */
  private static final class Setting {
    final String mode;
    final int slices;
    /** How long a round lasts at least; when answering, after how long the rest is left out. */
    final long nanos;

    Setting(String[] request) {
      mode = request[1];
      slices = Integer.parseInt(request[2]);
      nanos = Long.parseLong(request[3]) * 1_000_000;
    }
  }

  /** One of a request's queries; its words as a phrase, where the request rescores by it. */
  private static final class Asked {
    final Query query;
    final Query phrase;

    Asked(String mode, String text) {
      query = query(text);
      phrase = mode.equals("rescored") ? phraseOf(text) : null;
    }
  }

  private static List<Asked> queriesFrom(String[] request) {
    List<Asked> queries = new ArrayList<>();
    for (int i = 4; i < request.length; i++) queries.add(new Asked(request[1], request[i]));
    return queries;
  }

  private String answers(Setting setting, List<Asked> queries) throws IOException {
    List<String> answers = new ArrayList<>();
    long start = System.nanoTime();
    for (Asked query : queries) {
      if (System.nanoTime() - start > setting.nanos) break;
      answers.add(answerJson(setting, query));
    }
    return "{\"nanos\":" + (System.nanoTime() - start) + ",\"answers\":["
        + String.join(",", answers) + "]}";
  }

  private String round(Setting setting, List<Asked> queries) throws IOException {
    List<ChildLoop.Search> searches = new ArrayList<>();
    for (Asked query : queries) searches.add(() -> run(setting, query));
    return ChildLoop.round(setting.nanos, searches);
  }

  private long run(Setting setting, Asked asked) throws IOException {
    IndexSearcher searcher = searcher(setting.slices);
    if (setting.mode.equals("count")) return searcher.count(asked.query);
    TopDocs found = top(setting, searcher, asked);
    long sum = found.scoreDocs.length;
    if (setting.mode.equals("fetch"))
      for (ScoreDoc hit : found.scoreDocs)
        sum += LuceneApi.stored(searcher, hit.doc).getBinaryValue("_source").length;
    if (setting.mode.equals("highlighted"))
      for (String text : BodyHighlights.of(searcher, asked.query, found)) sum += text.length();
    return sum;
  }

  private static TopDocs top(Setting setting, IndexSearcher searcher, Asked asked)
      throws IOException {
    Query query = asked.query;
    switch (setting.mode) {
      case "top":
        return LuceneApi.topScores(searcher, query, TOP, TOP);
      case "top-100":
        return LuceneApi.topScores(searcher, query, 100, 100);
      case "counted":
      case "fetch":
      case "highlighted":
        return LuceneApi.topScores(searcher, query, TOP, COUNT_LIMIT);
      case "exact":
        return LuceneApi.topScores(searcher, query, TOP, Integer.MAX_VALUE);
      case "sorted":
        return LuceneApi.topFields(
            searcher, query, new Sort(LuceneApi.newestFirst("date")), TOP, COUNT_LIMIT);
      case "by-keyword":
        SortField byPackage = new SortField("package", SortField.Type.STRING);
        return LuceneApi.topFields(searcher, query, new Sort(byPackage), TOP, COUNT_LIMIT);
      case "collapsed":
        return PackageGroups.best(searcher, query, TOP);
      case "rescored":
        TopDocs first = LuceneApi.topScores(searcher, query, RESCORED, RESCORED);
        return QueryRescorer.rescore(searcher, first, asked.phrase, 2, TOP);
      default:
        throw new IllegalArgumentException("unknown mode " + setting.mode);
    }
  }

  private String answerJson(Setting setting, Asked asked) throws IOException {
    IndexSearcher searcher = searcher(setting.slices);
    if (setting.mode.equals("count"))
      return "{\"docs\":[],\"keys\":[],\"total\":" + searcher.count(asked.query) + ",\"exact\":true}";
    TopDocs found = top(setting, searcher, asked);
    List<String> docs = new ArrayList<>();
    List<String> keys = new ArrayList<>();
    for (ScoreDoc hit : found.scoreDocs) {
      docs.add(String.valueOf(hit.doc));
      if (!setting.mode.equals("highlighted")) keys.add(key(hit));
    }
    if (setting.mode.equals("highlighted"))
      for (String text : BodyHighlights.of(searcher, asked.query, found))
        keys.add(String.valueOf(BodyHighlights.checksum(text)));
    return "{\"docs\":[" + String.join(",", docs) + "],\"keys\":[" + String.join(",", keys)
        + "],\"total\":" + LuceneApi.total(found) + ",\"exact\":" + LuceneApi.isExact(found) + "}";
  }

  private static String key(ScoreDoc hit) {
    return hit instanceof FieldDoc
        ? sortNumber(((FieldDoc) hit).fields[0])
        : String.valueOf(Float.floatToRawIntBits(hit.score));
  }

  /** A number as it is, of a text its length in bytes. */
  private static String sortNumber(Object value) {
    return value instanceof BytesRef ? "" + ((BytesRef) value).length : String.valueOf(value);
  }

  // Queries

  private static Query query(String text) {
    List<String[]> scored = new ArrayList<>();
    List<String[]> functions = new ArrayList<>();
    for (String clause : text.split(" ")) {
      String[] parts = clause.split("\\|");
      (parts[0].equals("function") ? functions : scored).add(parts);
    }
    Query query = combined(scored);
    for (String[] parts : functions) query = new FunctionScoreQuery(query, FieldFunction.of(parts));
    return query;
  }

  private static Query combined(List<String[]> clauses) {
    if (clauses.size() == 1) return inner(clauses.get(0));
    BooleanQuery.Builder all = new BooleanQuery.Builder();
    for (String[] parts : clauses)
      all.add(inner(parts), BooleanClause.Occur.valueOf(parts[0].toUpperCase()));
    return all.build();
  }

  private static Query phraseOf(String text) {
    List<String> words = new ArrayList<>();
    for (String clause : text.split(" ")) words.add(clause.split("\\|")[3]);
    return new PhraseQuery("body", words.toArray(new String[0]));
  }

  /** Any of some words of a field. */
  private static Query anyOf(String field, String[] parts) {
    BooleanQuery.Builder all = new BooleanQuery.Builder();
    for (int i = 3; i < parts.length; i++)
      all.add(new TermQuery(new Term(field, parts[i])), BooleanClause.Occur.SHOULD);
    return all.build();
  }

  private static Query inner(String[] parts) {
    String field = parts[2];
    switch (parts[1]) {
      case "term":
        return new TermQuery(new Term(field, parts[3]));
      case "prefix":
        return new PrefixQuery(new Term(field, parts[3]));
      case "phrase":
        return new PhraseQuery(field, Arrays.copyOfRange(parts, 3, parts.length));
      case "range":
        return range(field, Long.parseLong(parts[3]), Long.parseLong(parts[4]));
      case "wildcard":
        return new WildcardQuery(new Term(field, parts[3]));
      case "regexp":
        return new RegexpQuery(new Term(field, parts[3]));
      case "fuzzy":
        return new FuzzyQuery(new Term(field, parts[3]), Integer.parseInt(parts[4]));
      case "best":
        return new DisjunctionMaxQuery(Arrays.asList(anyOf("head", parts), anyOf(field, parts)), 0);
      default:
        throw new IllegalArgumentException("unknown clause " + parts[1]);
    }
  }

  private static Query range(String field, long from, long to) {
    Query points =
        field.equals("words")
            ? IntPoint.newRangeQuery(field, (int) from, (int) to)
            : LongPoint.newRangeQuery(field, from, to);
    return new IndexOrDocValuesQuery(
        points, NumericDocValuesField.newSlowRangeQuery(field, from, to));
  }
}
