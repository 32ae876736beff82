import java.io.IOException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.SortedDocValues;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.FixedBitSet;

/** The kinds of the table's cases, counted match by match over doc values. */
final class TableAggregators {
  private static final int TOP = 10;
  private static final long DAY_IN_MILLIS = 86_400_000;
  private static final long FIRST_MONTH = Instant.parse("2023-11-01T00:00:00Z").toEpochMilli();
  private static final int MONTHS = 14;

  private TableAggregators() {}

  /** The aggregator of a level and of those below it; null behind the last one. */
  static TableAggregator of(String[][] levels, int depth) {
    if (depth == levels.length) return null;
    String[] level = levels[depth];
    TableAggregator below = of(levels, depth + 1);
    String field = level[2];
    switch (level[1]) {
      case "terms":
        return field.equals("tags") ? new ManyTerms(field, below) : new Terms(field, below);
      case "histogram":
        return new Histogram(field, Long.parseLong(level[3]), below);
      case "days":
        return new Histogram(field, DAY_IN_MILLIS, below);
      case "months":
        return new Months(field, below);
      case "ranges":
        return new Ranges(field, Long.parseLong(level[3]), Integer.parseInt(level[4]));
      case "cardinality":
        return field.equals("n") ? new DistinctNumbers(field) : new DistinctTerms(field);
      case "stats":
        return new Stats(field, false);
      case "avg":
        return new Stats(field, true);
      case "top":
        return new Least(field, Integer.parseInt(level[3]));
      default:
        throw new UnsupportedOperationException("no " + level[1]);
    }
  }

  /** Numbers by bucket of a text dictionary. */
  private static final class Terms implements TableAggregator {
    private final String field;
    private final TableAggregator below;
    private SortedDocValues values;
    private int[] counts = new int[0];

    Terms(String field, TableAggregator below) {
      this.field = field;
      this.below = below;
    }

    @Override
    public void open(LeafReader leaf) throws IOException {
      values = DocValues.getSorted(leaf, field);
      counts = new int[values.getValueCount()];
      if (below != null) below.open(leaf);
    }

    @Override
    public void collect(int doc, int owner) throws IOException {
      if (!values.advanceExact(doc)) return;
      int bucket = owner * values.getValueCount() + values.ordValue();
      if (bucket >= counts.length)
        counts = Arrays.copyOf(counts, Math.max(2 * counts.length, (owner + 1) * values.getValueCount()));
      counts[bucket]++;
      if (below != null) below.collect(doc, bucket);
    }

    @Override
    public void print(int owner, List<Double> to) throws IOException {
      int first = owner * values.getValueCount();
      for (int ord : best(counts, first, values.getValueCount())) {
        to.add(numberOf(values.lookupOrd(ord)));
        to.add((double) counts[first + ord]);
        if (below != null) below.print(first + ord, to);
      }
    }
  }

  private static final class ManyTerms implements TableAggregator {
    private final String field;
    private SortedSetDocValues values;
    private int[] counts;

    ManyTerms(String field, TableAggregator below) {
      if (below != null) throw new UnsupportedOperationException("nothing below several values");
      this.field = field;
    }

    @Override
    public void open(LeafReader leaf) throws IOException {
      values = DocValues.getSortedSet(leaf, field);
      counts = new int[(int) values.getValueCount()];
    }

    @Override
    public void collect(int doc, int owner) throws IOException {
      if (!values.advanceExact(doc)) return;
      for (long ord = values.nextOrd();
          ord != SortedSetDocValues.NO_MORE_ORDS;
          ord = values.nextOrd()) counts[(int) ord]++;
    }

    @Override
    public void print(int owner, List<Double> to) throws IOException {
      for (int ord : best(counts, 0, counts.length)) {
        to.add(numberOf(values.lookupOrd(ord)));
        to.add((double) counts[ord]);
      }
    }
  }

  /** The ords of the greatest counts, of equal ones the smaller ord first. */
  private static List<Integer> best(int[] counts, int first, int length) {
    Comparator<Integer> worstFirst =
        (a, b) ->
            counts[first + a] != counts[first + b]
                ? Integer.compare(counts[first + a], counts[first + b])
                : Integer.compare(b, a);
    PriorityQueue<Integer> queue = new PriorityQueue<>(TOP, worstFirst);
    for (int ord = 0; ord < length; ord++) {
      int count = counts[first + ord];
      if (count == 0) continue;
      if (queue.size() == TOP) {
        if (count <= counts[first + queue.peek()]) continue;
        queue.poll();
      }
      queue.add(ord);
    }
    List<Integer> found = new ArrayList<>();
    while (!queue.isEmpty()) found.add(0, queue.poll());
    return found;
  }

  private static double numberOf(BytesRef key) {
    String text = key.utf8ToString();
    return Double.parseDouble(text.substring(text.indexOf(' ') + 1));
  }

  /** Buckets by owner and number, found by a hash. */
  private static final class Buckets {
    private static final long NUMBERS = 1L << 20;
    private long[] keys = new long[1024];
    private int[] ids = new int[1024];
    private int size;
    private int[] counts = new int[512];
    private long[] numbers = new long[512];
    private int[] owners = new int[512];

    int add(int owner, long number) {
      if (2 * size >= keys.length) grow();
      long key = owner * NUMBERS + number + 1;
      int at = slot(key);
      if (keys[at] == 0) {
        keys[at] = key;
        ids[at] = size;
        if (size == counts.length) {
          counts = Arrays.copyOf(counts, 2 * size);
          numbers = Arrays.copyOf(numbers, 2 * size);
          owners = Arrays.copyOf(owners, 2 * size);
        }
        numbers[size] = number;
        owners[size] = owner;
        size++;
      }
      int id = ids[at];
      counts[id]++;
      return id;
    }

    private int slot(long key) {
      int mask = keys.length - 1;
      int at = (int) ((key * 0x9E3779B97F4A7C15L) >>> 32) & mask;
      while (keys[at] != 0 && keys[at] != key) at = (at + 1) & mask;
      return at;
    }

    private void grow() {
      long[] oldKeys = keys;
      int[] oldIds = ids;
      keys = new long[2 * oldKeys.length];
      ids = new int[2 * oldKeys.length];
      for (int i = 0; i < oldKeys.length; i++) {
        if (oldKeys[i] == 0) continue;
        int at = slot(oldKeys[i]);
        keys[at] = oldKeys[i];
        ids[at] = oldIds[i];
      }
    }

    /** An owner's buckets in the order of their numbers. */
    List<Integer> of(int owner) {
      List<Integer> found = new ArrayList<>();
      for (int id = 0; id < size; id++) if (owners[id] == owner) found.add(id);
      found.sort(Comparator.comparingLong(id -> numbers[id]));
      return found;
    }
  }

  private static final class Histogram implements TableAggregator {
    private final String field;
    private final long interval;
    private final TableAggregator below;
    private final Buckets buckets = new Buckets();
    private NumericDocValues values;

    Histogram(String field, long interval, TableAggregator below) {
      this.field = field;
      this.interval = interval;
      this.below = below;
    }

    @Override
    public void open(LeafReader leaf) throws IOException {
      values = DocValues.getNumeric(leaf, field);
      if (below != null) below.open(leaf);
    }

    @Override
    public void collect(int doc, int owner) throws IOException {
      if (!values.advanceExact(doc)) return;
      int bucket = buckets.add(owner, Math.floorDiv(values.longValue(), interval));
      if (below != null) below.collect(doc, bucket);
    }

    @Override
    public void print(int owner, List<Double> to) throws IOException {
      for (int bucket : buckets.of(owner)) {
        to.add((double) (buckets.numbers[bucket] * interval));
        to.add((double) buckets.counts[bucket]);
        if (below != null) below.print(bucket, to);
      }
    }
  }

  /** Months of a known span, found by a binary search over their starts. */
  private static final class Months implements TableAggregator {
    private final String field;
    private final TableAggregator below;
    private final long[] starts = new long[MONTHS];
    private final int[] counts = new int[MONTHS];
    private NumericDocValues values;

    Months(String field, TableAggregator below) {
      this.field = field;
      this.below = below;
      ZonedDateTime start = Instant.ofEpochMilli(FIRST_MONTH).atZone(ZoneOffset.UTC);
      for (int i = 0; i < MONTHS; i++)
        starts[i] = start.plusMonths(i).toInstant().toEpochMilli();
    }

    @Override
    public void open(LeafReader leaf) throws IOException {
      values = DocValues.getNumeric(leaf, field);
      if (below != null) below.open(leaf);
    }

    @Override
    public void collect(int doc, int owner) throws IOException {
      if (!values.advanceExact(doc)) return;
      int at = Arrays.binarySearch(starts, values.longValue());
      int bucket = at < 0 ? -at - 2 : at;
      counts[bucket]++;
      if (below != null) below.collect(doc, bucket);
    }

    @Override
    public void print(int owner, List<Double> to) throws IOException {
      for (int i = 0; i < MONTHS; i++) {
        if (counts[i] == 0) continue;
        to.add((double) starts[i]);
        to.add((double) counts[i]);
        if (below != null) below.print(i, to);
      }
    }
  }

  private static final class Ranges implements TableAggregator {
    private final String field;
    private final long[] from;
    private final long[] to;
    private final int[] counts;
    private NumericDocValues values;

    Ranges(String field, long width, int count) {
      this.field = field;
      from = new long[count];
      to = new long[count];
      counts = new int[count];
      for (int i = 0; i < count; i++) {
        from[i] = i * width;
        to[i] = from[i] + width;
      }
    }

    @Override
    public void open(LeafReader leaf) throws IOException {
      values = DocValues.getNumeric(leaf, field);
    }

    @Override
    public void collect(int doc, int owner) throws IOException {
      if (!values.advanceExact(doc)) return;
      long value = values.longValue();
      for (int i = 0; i < from.length; i++) if (value >= from[i] && value < to[i]) counts[i]++;
    }

    @Override
    public void print(int owner, List<Double> into) {
      for (int count : counts) into.add((double) count);
    }
  }

  /** HyperLogLog with 2¹⁴ registers. */
  private static final class Registers {
    private static final int BITS = 14;
    private static final int COUNT = 1 << BITS;
    private final byte[] registers = new byte[COUNT];

    void add(long hash) {
      int index = (int) (hash >>> (64 - BITS));
      int rank = Long.numberOfLeadingZeros(hash << BITS | 1L << (BITS - 1)) + 1;
      if (rank > registers[index]) registers[index] = (byte) rank;
    }

    double estimate() {
      double sum = 0;
      int zeros = 0;
      for (byte register : registers) {
        sum += 1.0 / (1L << register);
        if (register == 0) zeros++;
      }
      double raw = 0.7213 / (1 + 1.079 / COUNT) * COUNT * COUNT / sum;
      return raw <= 2.5 * COUNT && zeros > 0 ? COUNT * Math.log((double) COUNT / zeros) : raw;
    }
  }

  /** Spreads the bits of a number. */
  private static long mixed(long value) {
    long hash = (value ^ value >>> 33) * 0xff51afd7ed558ccdL;
    hash = (hash ^ hash >>> 33) * 0xc4ceb9fe1a85ec53L;
    return hash ^ hash >>> 33;
  }

  private static final class DistinctNumbers implements TableAggregator {
    private final String field;
    private final Registers registers = new Registers();
    private NumericDocValues values;

    DistinctNumbers(String field) {
      this.field = field;
    }

    @Override
    public void open(LeafReader leaf) throws IOException {
      values = DocValues.getNumeric(leaf, field);
    }

    @Override
    public void collect(int doc, int owner) throws IOException {
      if (values.advanceExact(doc)) registers.add(mixed(values.longValue()));
    }

    @Override
    public void print(int owner, List<Double> to) {
      to.add(registers.estimate());
    }
  }

  /** Marks the ords that are met and hashes their terms at the end. */
  private static final class DistinctTerms implements TableAggregator {
    private final String field;
    private SortedDocValues values;
    private FixedBitSet met;

    DistinctTerms(String field) {
      this.field = field;
    }

    @Override
    public void open(LeafReader leaf) throws IOException {
      values = DocValues.getSorted(leaf, field);
      met = new FixedBitSet(values.getValueCount());
    }

    @Override
    public void collect(int doc, int owner) throws IOException {
      if (values.advanceExact(doc)) met.set(values.ordValue());
    }

    @Override
    public void print(int owner, List<Double> to) throws IOException {
      Registers registers = new Registers();
      for (int ord = 0; ord < met.length(); ord++)
        if (met.get(ord)) registers.add(mixed(hashOf(values.lookupOrd(ord))));
      to.add(registers.estimate());
    }

    private static long hashOf(BytesRef term) {
      long hash = 0xcbf29ce484222325L;
      for (int i = 0; i < term.length; i++)
        hash = (hash ^ term.bytes[term.offset + i]) * 0x100000001b3L;
      return hash;
    }
  }

  /** Sums with the compensation of Kahan. */
  private static final class Stats implements TableAggregator {
    private final String field;
    private final boolean isMeanOnly;
    private NumericDocValues values;
    private long[] counts = new long[1];
    private double[] sums = new double[1];
    private double[] lost = new double[1];
    private double[] least = {Double.POSITIVE_INFINITY};
    private double[] greatest = {Double.NEGATIVE_INFINITY};

    Stats(String field, boolean isMeanOnly) {
      this.field = field;
      this.isMeanOnly = isMeanOnly;
    }

    @Override
    public void open(LeafReader leaf) throws IOException {
      values = DocValues.getNumeric(leaf, field);
    }

    @Override
    public void collect(int doc, int owner) throws IOException {
      if (!values.advanceExact(doc)) return;
      if (owner >= counts.length) grow(owner + 1);
      double value = Double.longBitsToDouble(values.longValue());
      counts[owner]++;
      double corrected = value - lost[owner];
      double sum = sums[owner] + corrected;
      lost[owner] = sum - sums[owner] - corrected;
      sums[owner] = sum;
      if (isMeanOnly) return;
      least[owner] = Math.min(least[owner], value);
      greatest[owner] = Math.max(greatest[owner], value);
    }

    private void grow(int most) {
      int old = counts.length;
      int length = Math.max(most, 2 * old);
      counts = Arrays.copyOf(counts, length);
      sums = Arrays.copyOf(sums, length);
      lost = Arrays.copyOf(lost, length);
      least = Arrays.copyOf(least, length);
      greatest = Arrays.copyOf(greatest, length);
      Arrays.fill(least, old, length, Double.POSITIVE_INFINITY);
      Arrays.fill(greatest, old, length, Double.NEGATIVE_INFINITY);
    }

    @Override
    public void print(int owner, List<Double> to) {
      double mean = sums[owner] / counts[owner];
      if (isMeanOnly) {
        to.add(mean);
        return;
      }
      to.add((double) counts[owner]);
      to.add(least[owner]);
      to.add(greatest[owner]);
      to.add(mean);
      to.add(sums[owner]);
    }
  }

  /** The least numbers of each owner. */
  private static final class Least implements TableAggregator {
    private final String field;
    private final int size;
    private final List<PriorityQueue<Long>> queues = new ArrayList<>();
    private NumericDocValues values;

    Least(String field, int size) {
      this.field = field;
      this.size = size;
    }

    @Override
    public void open(LeafReader leaf) throws IOException {
      values = DocValues.getNumeric(leaf, field);
    }

    @Override
    public void collect(int doc, int owner) throws IOException {
      if (!values.advanceExact(doc)) return;
      while (owner >= queues.size())
        queues.add(new PriorityQueue<>(size, Comparator.reverseOrder()));
      PriorityQueue<Long> queue = queues.get(owner);
      long value = values.longValue();
      if (queue.size() == size) {
        if (value >= queue.peek()) return;
        queue.poll();
      }
      queue.add(value);
    }

    @Override
    public void print(int owner, List<Double> to) {
      List<Long> sorted = new ArrayList<>(queues.get(owner));
      sorted.sort(null);
      for (long value : sorted) to.add((double) value);
    }
  }
}
