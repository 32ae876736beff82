import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.HashMap;
import java.util.Map;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.cjk.CJKAnalyzer;
import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;

/**
 * Lucene's analyzers over texts, timed one run at a time. A line comes in, one goes out:
 *
 *   load ⟨name⟩ ⟨file⟩        0            texts of UTF-8, U+0001 between them
 *   run ⟨analyzer⟩ ⟨name⟩     nanoseconds, tokens, sum of the tokens' lengths; tabs between
 */
public final class AnalysisBench {
  public static void main(String[] args) throws Exception {
    Map<String, String[]> texts = new HashMap<>();
    Map<String, Analyzer> analyzers = new HashMap<>();
    analyzers.put("standard", new StandardAnalyzer());
    analyzers.put("english", new EnglishAnalyzer());
    analyzers.put("cjk", new CJKAnalyzer());
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      String[] parts = line.split(" ", 3);
      if (parts[0].equals("load")) {
        String text = new String(Files.readAllBytes(Paths.get(parts[2])), StandardCharsets.UTF_8);
        texts.put(parts[1], text.split("\u0001"));
        System.out.println("0");
      } else {
        System.out.println(run(analyzers.get(parts[1]), texts.get(parts[2])));
      }
      System.out.flush();
    }
  }

  private static String run(Analyzer analyzer, String[] texts) throws Exception {
    long start = System.nanoTime();
    long count = 0;
    long length = 0;
    for (String text : texts) {
      try (TokenStream stream = analyzer.tokenStream("f", text)) {
        CharTermAttribute term = stream.addAttribute(CharTermAttribute.class);
        stream.reset();
        while (stream.incrementToken()) {
          count++;
          length += term.length();
        }
        stream.end();
      }
    }
    return (System.nanoTime() - start) + "\t" + count + "\t" + length;
  }
}
