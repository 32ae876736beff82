import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.HashMap;
import java.util.Map;
import org.apache.lucene.search.CollectionStatistics;
import org.apache.lucene.search.Explanation;
import org.apache.lucene.search.TermStatistics;
import org.apache.lucene.search.similarities.AfterEffect;
import org.apache.lucene.search.similarities.AfterEffectB;
import org.apache.lucene.search.similarities.AfterEffectL;
import org.apache.lucene.search.similarities.BasicModel;
import org.apache.lucene.search.similarities.BasicModelG;
import org.apache.lucene.search.similarities.BasicModelIF;
import org.apache.lucene.search.similarities.BasicModelIn;
import org.apache.lucene.search.similarities.BasicModelIne;
import org.apache.lucene.search.similarities.DFISimilarity;
import org.apache.lucene.search.similarities.DFRSimilarity;
import org.apache.lucene.search.similarities.DistributionLL;
import org.apache.lucene.search.similarities.DistributionSPL;
import org.apache.lucene.search.similarities.IBSimilarity;
import org.apache.lucene.search.similarities.IndependenceChiSquared;
import org.apache.lucene.search.similarities.IndependenceSaturated;
import org.apache.lucene.search.similarities.IndependenceStandardized;
import org.apache.lucene.search.similarities.LMDirichletSimilarity;
import org.apache.lucene.search.similarities.LMJelinekMercerSimilarity;
import org.apache.lucene.search.similarities.LambdaDF;
import org.apache.lucene.search.similarities.LambdaTTF;
import org.apache.lucene.search.similarities.Normalization;
import org.apache.lucene.search.similarities.NormalizationH1;
import org.apache.lucene.search.similarities.NormalizationH2;
import org.apache.lucene.search.similarities.NormalizationH3;
import org.apache.lucene.search.similarities.NormalizationZ;
import org.apache.lucene.search.similarities.Similarity;
import org.apache.lucene.util.BytesRef;

/**
 * Scores of similarities by statistics, a line for each line of a file: the bits of the score, and its
 * explanation. A line in has the words {@code key=value}: the similarity's names and its parameter
 * {@code p}, {@code boost}, the field's {@code N} documents and {@code T} tokens, {@code terms} as
 * documents and occurrences of each, {@code freq}, and the {@code code} of the length.
 */
public final class SimilarityScores {
  private final Map<String, String> words = new HashMap<>();

  private SimilarityScores(String line) {
    for (String word : line.split(" ")) {
      int at = word.indexOf('=');
      words.put(word.substring(0, at), word.substring(at + 1));
    }
  }

  public static void main(String[] args) throws Exception {
    for (String line : Files.readAllLines(Paths.get(args[0])))
      System.out.println(new SimilarityScores(line).scored());
  }

  private String scored() {
    long documents = Long.parseLong(words.get("N"));
    long tokens = Long.parseLong(words.get("T"));
    CollectionStatistics field =
        new CollectionStatistics("f", documents, documents, tokens, tokens);
    long code = Long.parseLong(words.get("code"));
    // Terms one by one: Lucene 8 adds their scores in floats, Lucene 10 in doubles.
    String[] terms = words.get("terms").split(",");
    double sum = terms.length == 1 ? -0.0 : 0;
    StringBuilder parts = new StringBuilder();
    for (int i = 0; i < terms.length; i++) {
      String[] counts = terms[i].split("/");
      TermStatistics term =
          new TermStatistics(
              new BytesRef("t" + i), Long.parseLong(counts[0]), Long.parseLong(counts[1]));
      Similarity.SimScorer scorer = similarity().scorer(number("boost"), field, term);
      sum += scorer.score(number("freq"), code);
      parts.append(printed(scorer.explain(Explanation.match(number("freq"), "freq"), code)));
    }
    int bits = Float.floatToIntBits((float) sum);
    return bits + " " + (terms.length == 1 ? parts : "[f" + bits + " sum of:" + parts + "]");
  }

  private static String printed(Explanation explanation) {
    Number value = explanation.getValue();
    StringBuilder text = new StringBuilder("[");
    if (value instanceof Float) text.append('f').append(Float.floatToIntBits((Float) value));
    else text.append('i').append(value);
    text.append(' ').append(explanation.getDescription());
    for (Explanation detail : explanation.getDetails()) text.append(printed(detail));
    return text.append(']').toString();
  }

  private float number(String key) {
    return Float.parseFloat(words.get(key));
  }

  private Similarity similarity() {
    switch (words.get("kind")) {
      case "dfr":
        return new DFRSimilarity(basicModel(), afterEffect(), normalization());
      case "ib":
        return new IBSimilarity(
            words.get("distribution").equals("ll") ? new DistributionLL() : new DistributionSPL(),
            words.get("lambda").equals("df") ? new LambdaDF() : new LambdaTTF(),
            normalization());
      case "dfi":
        switch (words.get("measure")) {
          case "standardized":
            return new DFISimilarity(new IndependenceStandardized());
          case "saturated":
            return new DFISimilarity(new IndependenceSaturated());
          default:
            return new DFISimilarity(new IndependenceChiSquared());
        }
      case "lmDirichlet":
        return new LMDirichletSimilarity(number("p"));
      default:
        return new LMJelinekMercerSimilarity(number("p"));
    }
  }

  private BasicModel basicModel() {
    switch (words.get("basicModel")) {
      case "g":
        return new BasicModelG();
      case "if":
        return new BasicModelIF();
      case "in":
        return new BasicModelIn();
      default:
        return new BasicModelIne();
    }
  }

  private AfterEffect afterEffect() {
    return words.get("afterEffect").equals("b") ? new AfterEffectB() : new AfterEffectL();
  }

  private Normalization normalization() {
    switch (words.get("normalization")) {
      case "no":
        return new Normalization.NoNormalization();
      case "h1":
        return new NormalizationH1(number("p"));
      case "h2":
        return new NormalizationH2(number("p"));
      case "h3":
        return new NormalizationH3(number("p"));
      default:
        return new NormalizationZ(number("p"));
    }
  }
}
