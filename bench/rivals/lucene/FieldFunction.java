import java.io.IOException;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.search.DoubleValues;
import org.apache.lucene.search.DoubleValuesSource;
import org.apache.lucene.search.IndexSearcher;

/** A query's score times a function of a field's number, in double, as the real server's functions are. */
final class FieldFunction extends DoubleValuesSource {
  private final String text;
  private final String field;
  private final boolean isBell;
  private final double origin;
  /** What a squared distance is divided by, negative. */
  private final double rate;

  private FieldFunction(String[] parts) {
    text = String.join("|", parts);
    field = parts[2];
    isBell = parts[1].equals("gauss");
    origin = isBell ? Double.parseDouble(parts[3]) : 0;
    double scale = isBell ? Double.parseDouble(parts[4]) : 1;
    rate = 0.5 * scale * scale / Math.log(0.5);
  }

  /** A clause that is a function, in the form of query.ts. */
  static FieldFunction of(String[] parts) {
    if (!parts[1].equals("gauss") && !parts[1].equals("log1p"))
      throw new IllegalArgumentException("unknown function " + parts[1]);
    return new FieldFunction(parts);
  }

  @Override
  public DoubleValues getValues(LeafReaderContext context, DoubleValues scores) throws IOException {
    NumericDocValues values = DocValues.getNumeric(context.reader(), field);
    return new DoubleValues() {
      @Override
      public double doubleValue() throws IOException {
        double value = values.longValue();
        if (!isBell) return scores.doubleValue() * Math.log10(value + 1);
        double distance = Math.abs(value - origin);
        return scores.doubleValue() * Math.exp(0.5 * distance * distance / rate);
      }

      @Override
      public boolean advanceExact(int doc) throws IOException {
        return values.advanceExact(doc) && scores.advanceExact(doc);
      }
    };
  }

  @Override
  public boolean needsScores() {
    return true;
  }

  @Override
  public DoubleValuesSource rewrite(IndexSearcher searcher) {
    return this;
  }

  @Override
  public boolean isCacheable(LeafReaderContext context) {
    return DocValues.isCacheable(context, field);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof FieldFunction && ((FieldFunction) other).text.equals(text);
  }

  @Override
  public String toString() {
    return text;
  }
}
