import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.similarities.BM25Similarity;
import org.apache.lucene.search.uhighlight.UnifiedHighlighter;
import org.apache.lucene.search.uhighlight.WholeBreakIterator;
import org.apache.lucene.store.ByteBuffersDirectory;

/**
 * Searches and highlights by Lucene itself. Reads a line of JSON each, and answers with one:
 *
 *   [document, …]              the documents of the searches that follow: ok
 *   {"query": …}               doc:bits doc:bits …, the best first; bits of the float32 score
 *   {"highlight": …}           the same query's highlights of `body`, whole values: doc:text, by tabs
 *
 * Queries are as requests of the search API have them.
 */
public final class SearchOracle {
  private final Analyzer analyzer = new WhitespaceAnalyzer();
  private List<?> documents;
  private IndexSearcher searcher;

  public static void main(String[] args) throws IOException {
    SearchOracle oracle = new SearchOracle();
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    PrintStream out = new PrintStream(System.out, true, "UTF-8");
    for (String line; (line = in.readLine()) != null; ) out.println(oracle.answer(line));
  }

  private String answer(String line) {
    try {
      Object asked = new JsonReader(line).read();
      if (asked instanceof List) {
        open((List<?>) asked);
        return "ok";
      }
      Map<?, ?> request = (Map<?, ?>) asked;
      if (request.containsKey("highlight")) return highlights((Map<?, ?>) request.get("highlight"));
      return hits((Map<?, ?>) request.get("query"));
    } catch (Exception error) {
      return "error: " + error;
    }
  }

  private void open(List<?> given) throws IOException {
    documents = given;
    ByteBuffersDirectory directory = new ByteBuffersDirectory();
    IndexWriterConfig config = new IndexWriterConfig(analyzer);
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      for (Object each : given) writer.addDocument(document((Map<?, ?>) each));
      writer.forceMerge(1);
    }
    searcher = new IndexSearcher(DirectoryReader.open(directory));
    searcher.setSimilarity(new BM25Similarity());
  }

  private static Document document(Map<?, ?> source) {
    Document document = new Document();
    for (String name : new String[] {"body", "title"})
      if (source.containsKey(name))
        document.add(new TextField(name, (String) source.get(name), Field.Store.YES));
    for (String name : new String[] {"tag", "shelf"})
      for (Object value : values(source, name))
        document.add(new StringField(name, (String) value, Field.Store.NO));
    for (Object value : values(source, "flag"))
      document.add(new StringField("flag", value.equals("true") ? "T" : "F", Field.Store.NO));
    for (String name : new String[] {"num", "first", "day"})
      for (Object value : values(source, name))
        document.add(new LongPoint(name, Long.parseLong((String) value)));
    return document;
  }

  /** The values of a field, be it one or a list. */
  static List<?> values(Map<?, ?> source, String name) {
    Object value = source.get(name);
    if (value == null) return List.of();
    return value instanceof List ? (List<?>) value : List.of(value);
  }

  private String hits(Map<?, ?> asked) throws IOException {
    SearchQueries queries = new SearchQueries(searcher, analyzer);
    ScoreDoc[] hits =
        asked.containsKey("function_score")
            ? new FunctionScores(searcher, queries, documents)
                .hits((Map<?, ?>) asked.get("function_score"))
            : searcher.search(queries.query(asked), Math.max(1, documents.size())).scoreDocs;
    Arrays.sort(
        hits, (a, b) -> a.score != b.score ? Float.compare(b.score, a.score) : a.doc - b.doc);
    StringBuilder line = new StringBuilder();
    for (ScoreDoc hit : hits)
      line.append(hit.doc).append(':').append(Float.floatToIntBits(hit.score)).append(' ');
    return line.toString().trim();
  }

  private String highlights(Map<?, ?> asked) throws IOException {
    Query query = new SearchQueries(searcher, analyzer).query(asked);
    TopDocs found = searcher.search(query, Math.max(1, documents.size()));
    if (found.scoreDocs.length == 0) return "";
    UnifiedHighlighter highlighter = new UnifiedHighlighter(searcher, analyzer);
    highlighter.setBreakIterator(WholeBreakIterator::new);
    highlighter.setFieldMatcher("body"::equals);
    highlighter.setMaxNoHighlightPassages(0);
    String[] texts = highlighter.highlight("body", query, found);
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < texts.length; i++)
      if (texts[i] != null)
        line.append(found.scoreDocs[i].doc).append(':').append(texts[i]).append('\t');
    return line.toString().trim();
  }
}
