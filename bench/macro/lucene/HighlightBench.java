import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.text.BreakIterator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.zip.CRC32;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.CharArraySet;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.uhighlight.Passage;
import org.apache.lucene.search.uhighlight.PassageFormatter;
import org.apache.lucene.search.uhighlight.UnifiedHighlighter;
import org.apache.lucene.search.uhighlight.WholeBreakIterator;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.util.QueryBuilder;

/**
 * Sentences of the ten best hits by Lucene's unified highlighter, timed. A line of JSON comes in, one goes out:
 *
 *   {"load": [name, offsets, file]}   0     texts of UTF-8, U+0001 between them, with offsets by "analysis",
 *                                           "postings" or "vectors"
 *   {"search": [name, kind, words]}         nanoseconds without and with sentences, and of each hit the CRC-32 of them
 *   {"whole": [name, kind, words]}          of each hit the CRC-32 of its whole text with its highlights
 */
public final class HighlightBench {
  private static final int HITS = 10;
  private static final int PASSAGES = 5;
  private static final Analyzer ANALYZER = new StandardAnalyzer(CharArraySet.EMPTY_SET);

  private final Map<String, IndexSearcher> searchers = new HashMap<>();

  public static void main(String[] args) throws Exception {
    HighlightBench bench = new HighlightBench();
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      System.out.println(bench.answer((Map<?, ?>) new JsonReader(line).read()));
      System.out.flush();
    }
  }

  private String answer(Map<?, ?> question) throws IOException {
    Map.Entry<?, ?> only = question.entrySet().iterator().next();
    String[] parts = strings(only.getValue());
    if (only.getKey().equals("load")) return load(parts[0], parts[1], parts[2]);
    IndexSearcher searcher = searchers.get(parts[0]);
    Query query = queryOf(parts[1], parts[2]);
    return only.getKey().equals("search") ? search(searcher, query) : whole(searcher, query);
  }

  private static String[] strings(Object list) {
    return ((List<?>) list).toArray(new String[0]);
  }

  private String load(String name, String offsets, String file) throws IOException {
    String all = new String(Files.readAllBytes(Paths.get(file)), StandardCharsets.UTF_8);
    FieldType type = new FieldType(TextField.TYPE_STORED);
    if (offsets.equals("postings"))
      type.setIndexOptions(IndexOptions.DOCS_AND_FREQS_AND_POSITIONS_AND_OFFSETS);
    if (offsets.equals("vectors")) {
      type.setStoreTermVectors(true);
      type.setStoreTermVectorPositions(true);
      type.setStoreTermVectorOffsets(true);
    }
    ByteBuffersDirectory directory = new ByteBuffersDirectory();
    try (IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig(ANALYZER))) {
      for (String text : all.split("\u0001")) {
        Document document = new Document();
        document.add(new Field("text", text, type));
        writer.addDocument(document);
      }
      writer.forceMerge(1);
    }
    searchers.put(name, new IndexSearcher(DirectoryReader.open(directory)));
    return "0";
  }

  private static Query queryOf(String kind, String words) {
    QueryBuilder builder = new QueryBuilder(ANALYZER);
    return kind.equals("phrase")
        ? builder.createPhraseQuery("text", words)
        : builder.createBooleanQuery("text", words);
  }

  private static String search(IndexSearcher searcher, Query query) throws IOException {
    long start = System.nanoTime();
    searcher.search(query, HITS);
    long without = System.nanoTime() - start;
    start = System.nanoTime();
    TopDocs found = searcher.search(query, HITS);
    UnifiedHighlighter highlighter = new UnifiedHighlighter(searcher, ANALYZER);
    highlighter.setBreakIterator(() -> BreakIterator.getSentenceInstance(Locale.ROOT));
    String[] texts = textsOf(highlighter, query, found);
    long with = System.nanoTime() - start;
    return without + "\t" + with + "\t" + checksums(texts);
  }

  private static String whole(IndexSearcher searcher, Query query) throws IOException {
    UnifiedHighlighter highlighter = new UnifiedHighlighter(searcher, ANALYZER);
    highlighter.setBreakIterator(WholeBreakIterator::new);
    return checksums(textsOf(highlighter, query, searcher.search(query, HITS)));
  }

  private static String[] textsOf(UnifiedHighlighter highlighter, Query query, TopDocs found)
      throws IOException {
    highlighter.setFormatter(new Fragments());
    highlighter.setMaxLength(Integer.MAX_VALUE - 1);
    return highlighter.highlight("text", query, found, PASSAGES);
  }

  private static String checksums(String[] texts) {
    StringBuilder all = new StringBuilder();
    for (String text : texts) {
      CRC32 sum = new CRC32();
      sum.update(text.getBytes(StandardCharsets.UTF_8));
      if (all.length() > 0) all.append(',');
      all.append(sum.getValue());
    }
    return all.toString();
  }

  /** Passages without white space around them, U+0001 between. */
  private static final class Fragments extends PassageFormatter {
    @Override
    public Object format(Passage[] passages, String content) {
      StringBuilder all = new StringBuilder();
      for (Passage passage : passages) {
        StringBuilder one = new StringBuilder();
        int at = passage.getStartOffset();
        for (int i = 0; i < passage.getNumMatches(); i++) {
          int start = passage.getMatchStarts()[i];
          int end = passage.getMatchEnds()[i];
          if (start > at) one.append(content, at, start);
          if (end <= at) continue;
          one.append("<em>").append(content, Math.max(at, start), end).append("</em>");
          at = end;
        }
        one.append(content, at, Math.max(at, passage.getEndOffset()));
        if (all.length() > 0) all.append('\u0001');
        all.append(one.toString().trim());
      }
      return all.toString();
    }
  }
}
