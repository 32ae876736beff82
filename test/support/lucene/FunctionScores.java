import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;

/** `function_score`, which is none of Lucene's own: by hand over the hits of its query. */
final class FunctionScores {
  private final IndexSearcher searcher;
  private final SearchQueries queries;
  private final List<?> documents;

  FunctionScores(IndexSearcher searcher, SearchQueries queries, List<?> documents) {
    this.searcher = searcher;
    this.queries = queries;
    this.documents = documents;
  }

  ScoreDoc[] hits(Map<?, ?> body) throws IOException {
    float boost = SearchQueries.number(body, "boost", 1);
    Query query = SearchQueries.boosted(queries.query((Map<?, ?>) body.get("query")), boost);
    List<?> functions = (List<?>) body.get("functions");
    List<Map<Integer, Float>> filters = new ArrayList<>();
    for (Object each : functions) {
      Object filter = ((Map<?, ?>) each).get("filter");
      filters.add(filter == null ? null : scores(queries.query((Map<?, ?>) filter)));
    }
    double maxBoost = SearchQueries.number(body, "max_boost", Float.MAX_VALUE);
    List<ScoreDoc> hits = new ArrayList<>();
    for (Map.Entry<Integer, Float> each : scores(query).entrySet()) {
      int doc = each.getKey();
      double value = Math.min(value(body, functions, filters, doc), maxBoost);
      float score = combined((String) body.get("boost_mode"), each.getValue(), value);
      if (!body.containsKey("min_score") || score >= SearchQueries.number(body, "min_score", 0))
        hits.add(new ScoreDoc(doc, score));
    }
    return hits.toArray(new ScoreDoc[0]);
  }

  private Map<Integer, Float> scores(Query query) throws IOException {
    Map<Integer, Float> scores = new HashMap<>();
    for (ScoreDoc hit : searcher.search(query, Math.max(1, documents.size())).scoreDocs)
      scores.put(hit.doc, hit.score);
    return scores;
  }

  private double value(
      Map<?, ?> body, List<?> functions, List<Map<Integer, Float>> filters, int doc) {
    List<Double> values = new ArrayList<>();
    double weights = 0;
    for (int i = 0; i < functions.size(); i++) {
      if (filters.get(i) != null && !filters.get(i).containsKey(doc)) continue;
      Map<?, ?> function = (Map<?, ?>) functions.get(i);
      double weight = SearchQueries.number(function, "weight", 1);
      values.add(functionValue(function, (Map<?, ?>) documents.get(doc)) * weight);
      weights += weight;
    }
    if (values.isEmpty()) return 1;
    double sum = 0;
    double product = 1;
    double most = Double.NEGATIVE_INFINITY;
    double least = Double.POSITIVE_INFINITY;
    for (double each : values) {
      sum += each;
      product *= each;
      most = Math.max(most, each);
      least = Math.min(least, each);
    }
    switch ((String) body.get("score_mode")) {
      case "first":
        return values.get(0);
      case "sum":
        return sum;
      case "avg":
        return sum / weights;
      case "max":
        return most;
      case "min":
        return least;
      default:
        return product;
    }
  }

  private static float combined(String mode, double score, double value) {
    switch (mode) {
      case "replace":
        return (float) value;
      case "sum":
        return (float) (score + value);
      case "avg":
        return (float) ((value + score) / 2);
      case "max":
        return (float) Math.max(score, value);
      case "min":
        return (float) Math.min(score, value);
      default:
        return (float) (score * value);
    }
  }

  private static double functionValue(Map<?, ?> function, Map<?, ?> document) {
    for (Map.Entry<?, ?> entry : function.entrySet()) {
      String name = (String) entry.getKey();
      if (name.equals("field_value_factor")) return factor((Map<?, ?>) entry.getValue(), document);
      if (name.equals("gauss") || name.equals("exp") || name.equals("linear"))
        return decay(name, (Map<?, ?>) entry.getValue(), document);
      if (!name.equals("filter") && !name.equals("weight"))
        throw new IllegalArgumentException("no function " + name);
    }
    return 1;
  }

  private static double factor(Map<?, ?> of, Map<?, ?> document) {
    long[] values = sorted(document, (String) of.get("field"));
    double value = values.length == 0 ? SearchQueries.number(of, "missing", 0) : values[0];
    value *= SearchQueries.number(of, "factor", 1);
    switch ((String) of.get("modifier")) {
      case "square":
        return value * value;
      case "sqrt":
        return Math.sqrt(value);
      case "log2p":
        return Math.log10(value + 2);
      case "ln1p":
        return Math.log1p(value);
      case "reciprocal":
        return 1 / value;
      default:
        return value;
    }
  }

  private static double decay(String shape, Map<?, ?> body, Map<?, ?> document) {
    String field = body.containsKey("day") ? "day" : "num";
    Map<?, ?> of = (Map<?, ?>) body.get(field);
    double origin = Double.parseDouble((String) of.get("origin"));
    double scale = span((String) of.get("scale"));
    double offset = span((String) of.get("offset"));
    double far = 0;
    long[] values = sorted(document, field);
    if (values.length > 0) {
      double[] all = new double[values.length];
      double sum = 0;
      for (int i = 0; i < all.length; i++)
        all[i] = Math.max(0, Math.abs(values[i] - origin) - offset);
      java.util.Arrays.sort(all);
      for (double each : all) sum += each;
      Object mode = body.get("multi_value_mode");
      if ("max".equals(mode)) far = all[all.length - 1];
      else if ("sum".equals(mode)) far = sum;
      else if ("avg".equals(mode)) far = sum / all.length;
      else far = all[0];
    }
    double decay = 0.5;
    if (shape.equals("gauss"))
      return Math.exp(0.5 * Math.pow(far, 2) / (0.5 * Math.pow(scale, 2) / Math.log(decay)));
    if (shape.equals("exp")) return Math.exp(Math.log(decay) / scale * far);
    double reach = scale / (1 - decay);
    return Math.max(0, (reach - far) / reach);
  }

  /** Days are milliseconds. */
  private static double span(String text) {
    return text.endsWith("d")
        ? Double.parseDouble(text.substring(0, text.length() - 1)) * 86400000
        : Double.parseDouble(text);
  }

  private static long[] sorted(Map<?, ?> document, String field) {
    return SearchOracle.values(document, field).stream()
        .mapToLong(each -> Long.parseLong((String) each))
        .sorted()
        .toArray();
  }
}
