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

/**
 * What the harness needs of Lucene whose names and forms change from version to version: this is for
 * 8 and, by what its documentation says, for 9.
 */
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

  /** Later versions have slices without threads too, so that asking for them tells nothing. */
  private static boolean isSliced(IndexSearcher searcher) {
    return searcher.getClass() != IndexSearcher.class;
  }

  /** The best documents by score, counted up to a threshold and not beyond. */
  static TopDocs topScores(IndexSearcher searcher, Query query, int top, int threshold)
      throws IOException {
    if (isSliced(searcher))
      return searcher.search(query, TopScoreDocCollector.createSharedManager(top, null, threshold));
    TopScoreDocCollector collector = TopScoreDocCollector.create(top, threshold);
    searcher.search(query, collector);
    return collector.topDocs();
  }

  /** The first documents of a sort, counted up to a threshold and not beyond. */
  static TopDocs topFields(IndexSearcher searcher, Query query, Sort sort, int top, int threshold)
      throws IOException {
    if (isSliced(searcher))
      return searcher.search(
          query, TopFieldCollector.createSharedManager(sort, top, null, threshold));
    TopFieldCollector collector = TopFieldCollector.create(sort, top, threshold);
    searcher.search(query, collector);
    return collector.topDocs();
  }

  /** A sort by a number, largest first, that may skip by points: from 9 on it does so unasked. */
  static SortField newestFirst(String field) {
    SortField sort = new SortField(field, SortField.Type.LONG, true);
    try {
      SortField.class.getMethod("setCanUsePoints").invoke(sort);
    } catch (NoSuchMethodException unneeded) {
      return sort;
    } catch (ReflectiveOperationException error) {
      throw new IllegalStateException(error);
    }
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
