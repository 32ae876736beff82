import java.io.IOException;
import java.util.List;
import org.apache.lucene.index.LeafReader;

/** An aggregation over the one leaf of an index; owners are buckets of the level above, from 0. */
interface TableAggregator {
  void open(LeafReader leaf) throws IOException;

  void collect(int doc, int owner) throws IOException;

  /** Adds the numbers of an owner's result. */
  void print(int owner, List<Double> to) throws IOException;
}
