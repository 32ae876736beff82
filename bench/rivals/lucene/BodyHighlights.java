import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;
import org.apache.lucene.analysis.CharArraySet;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.uhighlight.UnifiedHighlighter;
import org.apache.lucene.search.uhighlight.WholeBreakIterator;
import org.apache.lucene.util.BytesRef;

/** Bodies of documents with what a query matches between tags, by Lucene's unified highlighter. */
final class BodyHighlights {
  private static final StandardAnalyzer ANALYZER = new StandardAnalyzer(CharArraySet.EMPTY_SET);

  private BodyHighlights() {}

  /** The bodies in the order of the hits; those without a match are empty. */
  static String[] of(IndexSearcher searcher, Query query, TopDocs found) throws IOException {
    String[] texts = new OfSource(searcher).highlight("body", query, found, 1);
    for (int i = 0; i < texts.length; i++) texts[i] = texts[i] == null ? "" : texts[i].trim();
    return texts;
  }

  static int checksum(String text) {
    CRC32 sum = new CRC32();
    sum.update(text.getBytes(StandardCharsets.UTF_8));
    return (int) sum.getValue();
  }

  /** Reads bodies from what is stored, as the other engine does. */
  private static final class OfSource extends UnifiedHighlighter {
    private final IndexSearcher searcher;

    OfSource(IndexSearcher searcher) {
      super(searcher, ANALYZER);
      this.searcher = searcher;
      setBreakIterator(WholeBreakIterator::new);
      setFieldMatcher("body"::equals);
      setMaxLength(Integer.MAX_VALUE - 1);
      setMaxNoHighlightPassages(0);
    }

    @Override
    protected List<CharSequence[]> loadFieldValues(
        String[] fields, DocIdSetIterator docs, int cacheCharsThreshold) throws IOException {
      List<CharSequence[]> values = new ArrayList<>();
      for (int doc = docs.nextDoc(); doc != DocIdSetIterator.NO_MORE_DOCS; doc = docs.nextDoc()) {
        BytesRef line = LuceneApi.stored(searcher, doc).getBinaryValue("_source");
        String text = line.utf8ToString();
        int start = 0;
        for (int tabs = 0; tabs < 4; tabs++) start = text.indexOf('\t', start) + 1;
        values.add(new CharSequence[] {text.substring(start)});
      }
      return values;
    }
  }
}
