import java.io.IOException;
import java.util.Collection;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.TotalHits;
import org.apache.lucene.search.grouping.FirstPassGroupingCollector;
import org.apache.lucene.search.grouping.SearchGroup;
import org.apache.lucene.search.grouping.TermGroupSelector;
import org.apache.lucene.util.BytesRef;

/** The best document of each package, found in one pass, every match counted. */
final class PackageGroups extends FirstPassGroupingCollector<BytesRef> {
  /** By document where scores are equal, so that each group tells its document. */
  private static final Sort BY_SCORE = new Sort(SortField.FIELD_SCORE, SortField.FIELD_DOC);

  private int count;

  private PackageGroups(int top) {
    super(new TermGroupSelector("package"), BY_SCORE, top);
  }

  @Override
  public void collect(int doc) throws IOException {
    count++;
    super.collect(doc);
  }

  /** The best documents of the best so many packages. */
  static TopDocs best(IndexSearcher searcher, Query query, int top) throws IOException {
    PackageGroups collector = new PackageGroups(top);
    searcher.search(query, collector);
    Collection<SearchGroup<BytesRef>> groups = collector.getTopGroups(0);
    ScoreDoc[] hits = new ScoreDoc[groups == null ? 0 : groups.size()];
    int i = 0;
    if (groups != null)
      for (SearchGroup<BytesRef> group : groups)
        hits[i++] = new ScoreDoc((Integer) group.sortValues[1], (Float) group.sortValues[0]);
    return new TopDocs(new TotalHits(collector.count, TotalHits.Relation.EQUAL_TO), hits);
  }
}
