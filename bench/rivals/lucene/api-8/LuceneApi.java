import java.io.IOException;
import java.util.List;
import java.util.concurrent.Executor;
import org.apache.lucene.document.Document;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.TopFieldCollector;
import org.apache.lucene.search.TopScoreDocCollector;
import org.apache.lucene.search.TotalHits;

/** What the harness needs of Lucene and what changed its name or form later; this is for 8. */
final class LuceneApi {
  private LuceneApi() {}

  /** A searcher over so many slices of consecutive segments. */
  static IndexSearcher sliced(IndexReader reader, Executor executor, int slices) {
    return new IndexSearcher(reader, executor) {
      // Called by the superclass's constructor, when captured values are set already.
      @Override
      protected LeafSlice[] slices(List<LeafReaderContext> leaves) {
        LeafSlice[] cut = new LeafSlice[Math.min(slices, leaves.size())];
        for (int i = 0; i < cut.length; i++) {
          int from = i * leaves.size() / cut.length;
          int to = (i + 1) * leaves.size() / cut.length;
          cut[i] = new LeafSlice(leaves.subList(from, to).toArray(new LeafReaderContext[0]));
        }
        return cut;
      }
    };
  }

  /** The best documents by score, counted up to a threshold and not beyond. */
  static TopDocs topScores(IndexSearcher searcher, Query query, int top, int threshold)
      throws IOException {
    if (searcher.getSlices() != null)
      return searcher.search(query, TopScoreDocCollector.createSharedManager(top, null, threshold));
    TopScoreDocCollector collector = TopScoreDocCollector.create(top, threshold);
    searcher.search(query, collector);
    return collector.topDocs();
  }

  /** The first documents of a sort, counted up to a threshold and not beyond. */
  static TopDocs topFields(IndexSearcher searcher, Query query, Sort sort, int top, int threshold)
      throws IOException {
    if (searcher.getSlices() != null)
      return searcher.search(
          query, TopFieldCollector.createSharedManager(sort, top, null, threshold));
    TopFieldCollector collector = TopFieldCollector.create(sort, top, threshold);
    searcher.search(query, collector);
    return collector.topDocs();
  }

  /** A sort by a number, largest first, that may skip by points. */
  static SortField newestFirst(String field) {
    SortField sort = new SortField(field, SortField.Type.LONG, true);
    sort.setCanUsePoints();
    return sort;
  }

  static Document stored(IndexSearcher searcher, int doc) throws IOException {
    return searcher.doc(doc);
  }

  static long total(TopDocs found) {
    return found.totalHits.value;
  }

  static boolean isExact(TopDocs found) {
    return found.totalHits.relation == TotalHits.Relation.EQUAL_TO;
  }
}
