import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.MultiTerms;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.TermState;
import org.apache.lucene.index.TermStates;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.queries.function.FunctionScoreQuery;
import org.apache.lucene.queries.intervals.IntervalQuery;
import org.apache.lucene.queries.intervals.Intervals;
import org.apache.lucene.queries.intervals.IntervalsSource;
import org.apache.lucene.queries.mlt.MoreLikeThis;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.DisjunctionMaxQuery;
import org.apache.lucene.search.FuzzyQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.MultiPhraseQuery;
import org.apache.lucene.search.MultiTermQuery;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.PrefixQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.RegexpQuery;
import org.apache.lucene.search.TermInSetQuery;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TermRangeQuery;
import org.apache.lucene.search.WildcardQuery;
import org.apache.lucene.search.spans.FieldMaskingSpanQuery;
import org.apache.lucene.search.spans.SpanContainingQuery;
import org.apache.lucene.search.spans.SpanFirstQuery;
import org.apache.lucene.search.spans.SpanMultiTermQueryWrapper;
import org.apache.lucene.search.spans.SpanNearQuery;
import org.apache.lucene.search.spans.SpanNotQuery;
import org.apache.lucene.search.spans.SpanOrQuery;
import org.apache.lucene.search.spans.SpanQuery;
import org.apache.lucene.search.spans.SpanTermQuery;
import org.apache.lucene.search.spans.SpanWithinQuery;
import org.apache.lucene.util.BytesRef;

/** Lucene's queries of what requests ask, of the kinds that Lucene has. */
final class SearchQueries {
  private final IndexSearcher searcher;
  private final Analyzer analyzer;

  SearchQueries(IndexSearcher searcher, Analyzer analyzer) {
    this.searcher = searcher;
    this.analyzer = analyzer;
  }

  Query query(Map<?, ?> asked) throws IOException {
    Map.Entry<?, ?> entry = asked.entrySet().iterator().next();
    String name = (String) entry.getKey();
    Map<?, ?> body = (Map<?, ?>) entry.getValue();
    if (name.startsWith("span_") || name.equals("field_masking_span"))
      return boosted(span(asked), name.equals("span_term") ? 1 : number(body, "boost", 1));
    Map<?, ?> options = body;
    if (ON_FIELD.contains(name)) options = (Map<?, ?>) body.values().iterator().next();
    return boosted(plain(name, body), number(options, "boost", 1));
  }

  private static final List<String> ON_FIELD =
      List.of(
          "term", "range", "prefix", "wildcard", "regexp", "fuzzy", "match", "match_phrase",
          "match_phrase_prefix", "match_bool_prefix", "intervals");

  static Query boosted(Query query, float boost) {
    return boost == 1 ? query : new BoostQuery(query, boost);
  }

  static float number(Map<?, ?> body, String key, float missing) {
    Object value = body.get(key);
    return value == null ? missing : Float.parseFloat((String) value);
  }

  private static int whole(Map<?, ?> body, String key, int missing) {
    Object value = body.get(key);
    return value == null ? missing : Integer.parseInt((String) value);
  }

  private Query plain(String name, Map<?, ?> body) throws IOException {
    switch (name) {
      case "match_all":
        return new MatchAllDocsQuery();
      case "match_none":
        return new MatchNoDocsQuery();
      case "bool":
        return bool(body);
      case "boosting":
        return FunctionScoreQuery.boostByQuery(
            query(map(body, "positive")),
            query(map(body, "negative")),
            number(body, "negative_boost", 1));
      case "constant_score":
        return new ConstantScoreQuery(query(map(body, "filter")));
      case "dis_max":
        return new DisjunctionMaxQuery(
            queries((List<?>) body.get("queries")), number(body, "tie_breaker", 0));
      case "terms":
        return terms(body);
      case "multi_match":
        return multiMatch(body);
      case "more_like_this":
        return moreLikeThis(body);
    }
    String field = (String) body.keySet().iterator().next();
    Map<?, ?> options = map(body, field);
    String value = (String) options.get("value");
    String text = (String) options.get("query");
    switch (name) {
      case "term":
        return term(field, value);
      case "range":
        return range(field, options);
      case "prefix":
        return rewritten(new PrefixQuery(new Term(field, value)), options);
      case "wildcard":
        return rewritten(new WildcardQuery(new Term(field, value)), options);
      case "regexp":
        return rewritten(new RegexpQuery(new Term(field, value)), options);
      case "fuzzy":
        return fuzzy(field, value, options);
      case "match":
        return match(field, text, options);
      case "match_phrase":
        return phrase(field, text, whole(options, "slop", 0));
      case "match_phrase_prefix":
        return phrasePrefix(field, text);
      case "match_bool_prefix":
        return boolPrefix(field, text, options);
      case "intervals":
        return new IntervalQuery(field, rule(options));
      default:
        throw new IllegalArgumentException("no query " + name);
    }
  }

  private static Map<?, ?> map(Map<?, ?> body, String key) {
    return (Map<?, ?>) body.get(key);
  }

  private List<Query> queries(List<?> asked) throws IOException {
    List<Query> made = new ArrayList<>();
    for (Object each : asked) made.add(query((Map<?, ?>) each));
    return made;
  }

  private Query bool(Map<?, ?> body) throws IOException {
    BooleanQuery.Builder builder = new BooleanQuery.Builder();
    boolean onlyProhibits = true;
    for (String occur : new String[] {"must", "must_not", "should", "filter"})
      for (Object each : SearchOracle.values(body, occur)) {
        Map<?, ?> asked = (Map<?, ?>) each;
        if (!occur.equals("must_not")) onlyProhibits = false;
        Occur made = Occur.valueOf(occur.toUpperCase());
        if (made == Occur.MUST && becomesFilter(asked)) made = Occur.FILTER;
        Query query = query(asked);
        // Later versions of Lucene take conjunctions apart, so that their sums are rounded once.
        boolean isRequired = made == Occur.MUST || made == Occur.FILTER;
        if (isRequired && isConjunction(query))
          for (BooleanClause inner : (BooleanQuery) query)
            builder.add(inner.getQuery(), inner.getOccur() == Occur.MUST ? made : inner.getOccur());
        else builder.add(query, made);
      }
    if (onlyProhibits) builder.add(new MatchAllDocsQuery(), Occur.FILTER);
    return builder.setMinimumNumberShouldMatch(whole(body, "minimum_should_match", 0)).build();
  }

  private static boolean isConjunction(Query query) {
    if (!(query instanceof BooleanQuery)) return false;
    BooleanQuery bool = (BooleanQuery) query;
    return bool.getMinimumNumberShouldMatch() == 0
        && bool.clauses().stream().noneMatch(each -> each.getOccur() == Occur.SHOULD)
        && bool.clauses().stream().anyMatch(each -> each.getOccur() != Occur.MUST_NOT);
  }

  /** What must match of numbers only filters. */
  private static boolean becomesFilter(Map<?, ?> asked) {
    String name = (String) asked.keySet().iterator().next();
    if (name.equals("range")) return true;
    if (!name.equals("term") && !name.equals("terms") && !name.equals("match")) return false;
    Map<?, ?> body = map(asked, name);
    return body.containsKey("num") || body.containsKey("first");
  }

  private static boolean isNumber(String field) {
    return field.equals("num") || field.equals("first") || field.equals("day");
  }

  private static Query term(String field, String value) {
    if (isNumber(field)) return LongPoint.newExactQuery(field, Long.parseLong(value));
    if (field.equals("flag")) return new TermQuery(new Term(field, value.equals("true") ? "T" : "F"));
    Query query = new TermQuery(new Term(field, value));
    return field.equals("tag") ? new ConstantScoreQuery(query) : query;
  }

  private static Query terms(Map<?, ?> body) {
    String field = (String) body.keySet().iterator().next();
    List<?> values = (List<?>) body.get(field);
    if (isNumber(field))
      return LongPoint.newSetQuery(
          field, values.stream().mapToLong(each -> Long.parseLong((String) each)).toArray());
    List<BytesRef> terms = new ArrayList<>();
    for (Object each : values) terms.add(new BytesRef((String) each));
    return new TermInSetQuery(field, terms);
  }

  private static Query range(String field, Map<?, ?> options) {
    boolean lowerIn = options.containsKey("gte");
    boolean upperIn = options.containsKey("lte");
    String lower = (String) options.get(lowerIn ? "gte" : "gt");
    String upper = (String) options.get(upperIn ? "lte" : "lt");
    if (!isNumber(field))
      return new TermRangeQuery(field, new BytesRef(lower), new BytesRef(upper), lowerIn, upperIn);
    return LongPoint.newRangeQuery(
        field,
        Long.parseLong(lower) + (lowerIn ? 0 : 1),
        Long.parseLong(upper) - (upperIn ? 0 : 1));
  }

  private static Query rewritten(MultiTermQuery query, Map<?, ?> options) {
    String name = (String) options.get("rewrite");
    int most = Integer.parseInt("0" + name.replaceAll("[^0-9]", ""));
    switch (name.replaceAll("_[0-9]+$", "")) {
      case "constant_score_boolean":
        query.setRewriteMethod(MultiTermQuery.CONSTANT_SCORE_BOOLEAN_REWRITE);
        break;
      case "scoring_boolean":
        query.setRewriteMethod(MultiTermQuery.SCORING_BOOLEAN_REWRITE);
        break;
      case "top_terms":
        query.setRewriteMethod(new MultiTermQuery.TopTermsScoringBooleanQueryRewrite(most));
        break;
      case "top_terms_boost":
        query.setRewriteMethod(new MultiTermQuery.TopTermsBoostOnlyBooleanQueryRewrite(most));
        break;
      case "top_terms_blended_freqs":
        query.setRewriteMethod(
            new MultiTermQuery.TopTermsBlendedFreqScoringRewrite(most));
        break;
      default:
        query.setRewriteMethod(MultiTermQuery.CONSTANT_SCORE_REWRITE);
    }
    return query;
  }

  private static int autoEdits(String text) {
    return text.length() < 3 ? 0 : text.length() < 6 ? 1 : 2;
  }

  private static Query fuzzy(String field, String value, Map<?, ?> options) {
    String edits = (String) options.get("fuzziness");
    FuzzyQuery query =
        new FuzzyQuery(
            new Term(field, value),
            edits.equals("AUTO") ? autoEdits(value) : Integer.parseInt(edits),
            whole(options, "prefix_length", 0),
            50,
            "true".equals(options.get("transpositions")));
    return options.get("rewrite") == null ? query : rewritten(query, options);
  }

  /** A match's words as queries put together. */
  private static Query words(
      String text, Map<?, ?> options, Function<String, Query> each, Function<String, Query> last) {
    String[] words = text.split(" ");
    if (words.length == 1) return last.apply(words[0]);
    boolean isAnd = "and".equals(options.get("operator"));
    BooleanQuery.Builder builder = new BooleanQuery.Builder();
    for (int i = 0; i < words.length; i++)
      builder.add(
          (i == words.length - 1 ? last : each).apply(words[i]), isAnd ? Occur.MUST : Occur.SHOULD);
    return builder.setMinimumNumberShouldMatch(whole(options, "minimum_should_match", 0)).build();
  }

  private static Query match(String field, String text, Map<?, ?> options) {
    if (isNumber(field)) return LongPoint.newExactQuery(field, Long.parseLong(text));
    Function<String, Query> word =
        options.containsKey("fuzziness")
            ? each -> new FuzzyQuery(new Term(field, each), autoEdits(each), 0, 50, true)
            : each -> new TermQuery(new Term(field, each));
    return words(text, options, word, word);
  }

  private static Query phrase(String field, String text, int slop) {
    String[] words = text.split(" ");
    if (words.length == 1) return new TermQuery(new Term(field, text));
    return new PhraseQuery(slop, field, words);
  }

  private Query phrasePrefix(String field, String text) throws IOException {
    String[] words = text.split(" ");
    List<Term> ends = new ArrayList<>();
    for (String term : termsOf(field))
      if (term.startsWith(words[words.length - 1])) ends.add(new Term(field, term));
    if (ends.isEmpty()) return new MatchNoDocsQuery();
    MultiPhraseQuery.Builder builder = new MultiPhraseQuery.Builder();
    for (int i = 0; i < words.length - 1; i++) builder.add(new Term(field, words[i]));
    return builder.add(ends.toArray(new Term[0])).build();
  }

  /** The terms of a field in order of bytes. */
  private List<String> termsOf(String field) throws IOException {
    List<String> found = new ArrayList<>();
    Terms terms = MultiTerms.getTerms(searcher.getIndexReader(), field);
    if (terms == null) return found;
    TermsEnum each = terms.iterator();
    for (BytesRef term; (term = each.next()) != null; ) found.add(term.utf8ToString());
    return found;
  }

  private static Query boolPrefix(String field, String text, Map<?, ?> options) {
    return words(
        text,
        options,
        each -> new TermQuery(new Term(field, each)),
        each -> new PrefixQuery(new Term(field, each)));
  }

  private Query multiMatch(Map<?, ?> body) throws IOException {
    String type = (String) body.get("type");
    String text = (String) body.get("query");
    List<String> fields = new ArrayList<>();
    List<Float> boosts = new ArrayList<>();
    for (Object each : (List<?>) body.get("fields")) {
      String[] parts = ((String) each).split("\\^");
      fields.add(parts[0]);
      boosts.add(parts.length > 1 ? Float.parseFloat(parts[1]) : 1);
    }
    if (type.equals("cross_fields")) {
      Function<String, Query> word = each -> blended(each, fields, boosts);
      return words(text, body, word, word);
    }
    List<Query> all = new ArrayList<>();
    for (int i = 0; i < fields.size(); i++) {
      String field = fields.get(i);
      Query own;
      if (type.equals("phrase")) own = phrase(field, text, 0);
      else if (type.equals("phrase_prefix")) own = phrasePrefix(field, text);
      else if (type.equals("bool_prefix")) own = boolPrefix(field, text, body);
      else own = match(field, text, body);
      all.add(boosted(own, boosts.get(i)));
    }
    if (all.size() == 1) return all.get(0);
    boolean sums = type.equals("most_fields") || type.equals("bool_prefix");
    return new DisjunctionMaxQuery(all, number(body, "tie_breaker", sums ? 1 : 0));
  }

  /** A word in several fields as if they were one: the fields share their document frequencies. */
  private Query blended(String text, List<String> fields, List<Float> boosts) {
    try {
      IndexReader reader = searcher.getIndexReader();
      int count = fields.size();
      int[] freqs = new int[count];
      long least = Long.MAX_VALUE;
      int most = 0;
      for (int i = 0; i < count; i++) {
        freqs[i] = reader.docFreq(new Term(fields.get(i), text));
        most = Math.max(most, freqs[i]);
        long sum = reader.getSumTotalTermFreq(fields.get(i));
        if (sum > 0) least = Math.min(least, sum);
      }
      int cap = (int) Math.min(reader.maxDoc(), least);
      TreeSet<Integer> steps = new TreeSet<>();
      for (int freq : freqs) steps.add(freq);
      List<Integer> falling = new ArrayList<>(steps.descendingSet());
      List<Query> all = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        Term term = new Term(fields.get(i), text);
        int own = Math.min(cap, Math.min(cap, most) + falling.indexOf(freqs[i]));
        own = Math.min(own, reader.getDocCount(fields.get(i)));
        Query query =
            freqs[i] == 0 || count == 1
                ? new TermQuery(term)
                : new TermQuery(term, withDocFreq(term, own));
        all.add(boosted(query, boosts.get(i)));
      }
      return count == 1 ? all.get(0) : new DisjunctionMaxQuery(all, 0);
    } catch (IOException error) {
      throw new RuntimeException(error);
    }
  }

  private TermStates withDocFreq(Term term, int docFreq) throws IOException {
    TermStates known = TermStates.build(searcher.getTopReaderContext(), term, true);
    TermStates made = new TermStates(searcher.getTopReaderContext());
    for (LeafReaderContext leaf : searcher.getIndexReader().leaves()) {
      TermState state = known.get(leaf);
      if (state != null) made.register(state, leaf.ord);
    }
    made.accumulateStatistics(docFreq, Math.max(docFreq, known.totalTermFreq()));
    return made;
  }

  private Query moreLikeThis(Map<?, ?> body) throws IOException {
    MoreLikeThis like = new MoreLikeThis(searcher.getIndexReader());
    List<?> fields = (List<?>) body.get("fields");
    like.setFieldNames(fields.toArray(new String[0]));
    like.setAnalyzer(analyzer);
    like.setMaxQueryTerms(whole(body, "max_query_terms", 25));
    like.setMinTermFreq(whole(body, "min_term_freq", 2));
    like.setMinDocFreq(whole(body, "min_doc_freq", 5));
    float boost = number(body, "boost_terms", 0);
    like.setBoost(boost > 0);
    if (boost > 0) like.setBoostFactor(boost);
    String first = (String) fields.get(0);
    BooleanQuery made =
        (BooleanQuery) like.like(first, new StringReader((String) body.get("like")));
    BooleanQuery.Builder builder = new BooleanQuery.Builder();
    for (BooleanClause clause : made) builder.add(clause);
    return builder.setMinimumNumberShouldMatch(whole(body, "minimum_should_match", 0)).build();
  }

  private SpanQuery span(Map<?, ?> asked) {
    Map.Entry<?, ?> entry = asked.entrySet().iterator().next();
    Map<?, ?> body = (Map<?, ?>) entry.getValue();
    switch ((String) entry.getKey()) {
      case "span_term":
        String field = (String) body.keySet().iterator().next();
        return new SpanTermQuery(new Term(field, (String) body.get(field)));
      case "span_near":
        return near(body);
      case "span_or":
        List<?> clauses = (List<?>) body.get("clauses");
        return new SpanOrQuery(
            clauses.stream().map(each -> span((Map<?, ?>) each)).toArray(SpanQuery[]::new));
      case "span_first":
        return new SpanFirstQuery(span(map(body, "match")), whole(body, "end", 0));
      case "span_not":
        return new SpanNotQuery(
            span(map(body, "include")),
            span(map(body, "exclude")),
            whole(body, "pre", 0),
            whole(body, "post", 0));
      case "span_containing":
        return new SpanContainingQuery(span(map(body, "big")), span(map(body, "little")));
      case "span_within":
        return new SpanWithinQuery(span(map(body, "big")), span(map(body, "little")));
      case "span_multi":
        return multi(map(body, "match"));
      case "field_masking_span":
      case "span_field_masking":
        return new FieldMaskingSpanQuery(span(map(body, "query")), (String) body.get("field"));
      default:
        throw new IllegalArgumentException("no span " + entry.getKey());
    }
  }

  private SpanQuery near(Map<?, ?> body) {
    boolean inOrder = "true".equals(body.get("in_order"));
    int slop = whole(body, "slop", 0);
    SpanNearQuery.Builder builder = new SpanNearQuery.Builder("body", inOrder);
    for (Object each : (List<?>) body.get("clauses")) {
      Map<?, ?> clause = (Map<?, ?>) each;
      if (clause.containsKey("span_gap"))
        builder.addGap(Integer.parseInt((String) map(clause, "span_gap").get("body")));
      else builder.addClause(span(clause));
    }
    return builder.setSlop(slop).build();
  }

  private static SpanQuery multi(Map<?, ?> match) {
    String name = (String) match.keySet().iterator().next();
    Map<?, ?> options = map(map(match, name), "body");
    Term term = new Term("body", (String) options.get("value"));
    return name.equals("prefix")
        ? new SpanMultiTermQueryWrapper<>(new PrefixQuery(term))
        : new SpanMultiTermQueryWrapper<>(new WildcardQuery(term));
  }

  private IntervalsSource rule(Map<?, ?> rules) {
    for (Map.Entry<?, ?> entry : rules.entrySet()) {
      if (entry.getKey().equals("boost")) continue;
      Map<?, ?> body = (Map<?, ?>) entry.getValue();
      IntervalsSource source = unfiltered((String) entry.getKey(), body);
      return body.containsKey("filter") ? filtered(source, map(body, "filter")) : source;
    }
    throw new IllegalArgumentException("no rule");
  }

  private IntervalsSource unfiltered(String name, Map<?, ?> body) {
    switch (name) {
      case "prefix":
        return Intervals.prefix(new BytesRef((String) body.get("prefix")));
      case "any_of":
        return Intervals.or(rules(body));
      case "all_of":
        return together(body, rules(body));
      default:
        String[] words = ((String) body.get("query")).split(" ");
        IntervalsSource[] sources = new IntervalsSource[words.length];
        for (int i = 0; i < words.length; i++) sources[i] = Intervals.term(words[i]);
        return together(body, sources);
    }
  }

  private IntervalsSource[] rules(Map<?, ?> body) {
    List<?> rules = (List<?>) body.get("intervals");
    return rules.stream().map(each -> rule((Map<?, ?>) each)).toArray(IntervalsSource[]::new);
  }

  private static IntervalsSource together(Map<?, ?> body, IntervalsSource[] sources) {
    if (sources.length == 1) return sources[0];
    boolean inOrder = "ordered".equals(body.get("mode"));
    int gaps = whole(body, "max_gaps", -1);
    if (gaps == 0 && inOrder) return Intervals.phrase(sources);
    IntervalsSource all =
        inOrder ? Intervals.ordered(sources) : Intervals.unordered(sources);
    return gaps < 0 ? all : Intervals.maxgaps(gaps, all);
  }

  private IntervalsSource filtered(IntervalsSource source, Map<?, ?> filter) {
    Map.Entry<?, ?> entry = filter.entrySet().iterator().next();
    IntervalsSource other = rule((Map<?, ?>) entry.getValue());
    switch ((String) entry.getKey()) {
      case "containing":
        return Intervals.containing(source, other);
      case "contained_by":
        return Intervals.containedBy(source, other);
      case "not_containing":
        return Intervals.notContaining(source, other);
      case "not_contained_by":
        return Intervals.notContainedBy(source, other);
      case "overlapping":
        return Intervals.overlapping(source, other);
      case "not_overlapping":
        return Intervals.nonOverlapping(source, other);
      default:
        throw new IllegalArgumentException("no filter " + entry.getKey());
    }
  }
}
