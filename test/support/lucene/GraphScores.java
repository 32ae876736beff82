import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MultiPhraseQuery;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.SynonymQuery;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.similarities.BM25Similarity;
import org.apache.lucene.search.spans.SpanNearQuery;
import org.apache.lucene.search.spans.SpanOrQuery;
import org.apache.lucene.search.spans.SpanQuery;
import org.apache.lucene.search.spans.SpanTermQuery;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;

/** Scores of queries over a file of texts, a line each: `name doc:bits doc:bits …` by document. */
public final class GraphScores {
  public static void main(String[] args) throws Exception {
    Directory directory = new ByteBuffersDirectory();
    try (IndexWriter writer =
        new IndexWriter(directory, new IndexWriterConfig(new WhitespaceAnalyzer()))) {
      for (String line : Files.readAllLines(Paths.get(args[0]))) {
        Document document = new Document();
        document.add(new TextField("t", line, Field.Store.NO));
        writer.addDocument(document);
      }
      writer.forceMerge(1);
    }
    IndexSearcher searcher = new IndexSearcher(DirectoryReader.open(directory));
    searcher.setSimilarity(new BM25Similarity());
    for (Map.Entry<String, Query> each : queries().entrySet()) {
      ScoreDoc[] hits = searcher.search(each.getValue(), 100000).scoreDocs;
      Arrays.sort(hits, (a, b) -> a.doc - b.doc);
      StringBuilder line = new StringBuilder(each.getKey());
      for (ScoreDoc hit : hits)
        line.append(' ').append(hit.doc).append(':').append(Float.floatToIntBits(hit.score));
      System.out.println(line);
    }
  }

  private static Map<String, Query> queries() {
    Map<String, Query> queries = new LinkedHashMap<>();
    queries.put(
        "synonym",
        new SynonymQuery.Builder("t").addTerm(term("a")).addTerm(term("b")).build());
    for (int slop : new int[] {0, 3})
      queries.put(
          "phrase" + slop,
          new MultiPhraseQuery.Builder()
              .add(new Term[] {term("a"), term("b")})
              .add(term("c"))
              .setSlop(slop)
              .build());
    SpanQuery paths = new SpanOrQuery(near(span("f"), span("g")), span("e"));
    queries.put("paths", paths);
    queries.put("first", near(paths, span("d")));
    queries.put("middle", near(span("d"), paths, span("a")));
    BooleanQuery.Builder ways = new BooleanQuery.Builder();
    ways.add(new PhraseQuery("t", "f", "g"), Occur.SHOULD);
    ways.add(new TermQuery(term("e")), Occur.SHOULD);
    BooleanQuery.Builder both = new BooleanQuery.Builder();
    both.add(ways.build(), Occur.MUST);
    both.add(new TermQuery(term("d")), Occur.MUST);
    queries.put("words", both.build());
    return queries;
  }

  private static Term term(String text) {
    return new Term("t", text);
  }

  private static SpanQuery span(String text) {
    return new SpanTermQuery(term(text));
  }

  private static SpanQuery near(SpanQuery... spans) {
    return new SpanNearQuery(spans, 0, true);
  }
}
