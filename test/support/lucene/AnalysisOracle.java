import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.Reader;
import java.io.StringReader;
import java.lang.reflect.Constructor;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.CharArraySet;
import org.apache.lucene.analysis.TokenFilter;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.Tokenizer;
import org.apache.lucene.analysis.miscellaneous.ConditionalTokenFilter;
import org.apache.lucene.analysis.miscellaneous.RemoveDuplicatesTokenFilter;
import org.apache.lucene.analysis.tokenattributes.*;
import org.apache.lucene.analysis.util.CharFilterFactory;
import org.apache.lucene.analysis.util.ResourceLoader;
import org.apache.lucene.analysis.util.ResourceLoaderAware;
import org.apache.lucene.analysis.util.TokenFilterFactory;
import org.apache.lucene.analysis.util.TokenizerFactory;
import org.apache.lucene.util.AttributeSource;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.Version;

/**
 * What Lucene makes of texts. A line of JSON comes in, one goes out:
 *
 *   {"texts": [...]}                                              0
 *   {"chain": {"charFilters": [C], "tokenizer": C, "filters": [C], "resources": {name: text}}}
 *   {"analyzer": {"class": name, "stopwords": [...], "exclusions": [...]}}
 *                                            [answer to each of the texts given last]
 *   {"stopwords": class name of an analyzer}                      [words]
 *
 * C is {"name": of the factory, "args": {...}}, {"class": of a filter that takes a stream}, or
 * {"chains": [[C], ...]}: each token through each chain, the results stacked, no term twice.
 * An answer is [[term, start, end, type, positionIncrement, positionLength, keyword 0|1,
 * termFrequency, payload as hex or null], ..., [end offset, increment behind the last]], or
 * {"error": message}.
 */
public final class AnalysisOracle {
  private static List<?> texts = new ArrayList<>();
  private static final PrintStream OUT = new PrintStream(System.out, false, StandardCharsets.US_ASCII);

  public static void main(String[] args) throws IOException {
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      StringBuilder answer = new StringBuilder();
      try {
        respond((Map<?, ?>) new JsonReader(line).read(), answer);
      } catch (Throwable error) {
        answer.setLength(0);
        putError(answer, error);
      }
      OUT.println(answer);
      OUT.flush();
    }
  }

  private static void respond(Map<?, ?> request, StringBuilder out) throws Exception {
    if (request.containsKey("texts")) {
      texts = (List<?>) request.get("texts");
      out.append('0');
    } else if (request.containsKey("stopwords")) {
      Class<?> type = Class.forName((String) request.get("stopwords"));
      out.append('[');
      for (Object word : (Collection<?>) type.getMethod("getDefaultStopSet").invoke(null)) {
        if (out.length() > 1) out.append(',');
        putText(out, new String((char[]) word));
      }
      out.append(']');
    } else if (request.containsKey("analyzer")) {
      Analyzer analyzer = analyzer((Map<?, ?>) request.get("analyzer"));
      answerAll(out, text -> analyzer.tokenStream("f", text));
    } else {
      Map<?, ?> chain = (Map<?, ?>) request.get("chain");
      Chain made = new Chain(chain);
      answerAll(out, made::open);
    }
  }

  private interface Opener {
    TokenStream open(String text) throws Exception;
  }

  private static void answerAll(StringBuilder out, Opener opener) {
    out.append('[');
    for (int i = 0; i < texts.size(); i++) {
      if (i > 0) out.append(',');
      int start = out.length();
      TokenStream stream = null;
      try {
        stream = opener.open((String) texts.get(i));
        putTokens(out, stream);
      } catch (Throwable error) {
        out.setLength(start);
        putError(out, error);
      }
      try {
        if (stream != null) stream.close();
      } catch (IOException error) {
        throw new RuntimeException(error);
      }
    }
    out.append(']');
  }

  private static void putTokens(StringBuilder out, TokenStream stream) throws IOException {
    CharTermAttribute term = stream.addAttribute(CharTermAttribute.class);
    OffsetAttribute offset = stream.addAttribute(OffsetAttribute.class);
    TypeAttribute type = stream.addAttribute(TypeAttribute.class);
    PositionIncrementAttribute increment = stream.addAttribute(PositionIncrementAttribute.class);
    PositionLengthAttribute length = stream.addAttribute(PositionLengthAttribute.class);
    KeywordAttribute keyword = stream.addAttribute(KeywordAttribute.class);
    TermFrequencyAttribute frequency = stream.addAttribute(TermFrequencyAttribute.class);
    PayloadAttribute payload = stream.addAttribute(PayloadAttribute.class);
    stream.reset();
    out.append('[');
    while (stream.incrementToken()) {
      out.append('[');
      putText(out, term.toString());
      out.append(',').append(offset.startOffset()).append(',').append(offset.endOffset());
      out.append(',');
      putText(out, type.type());
      out.append(',').append(increment.getPositionIncrement());
      out.append(',').append(length.getPositionLength());
      out.append(',').append(keyword.isKeyword() ? 1 : 0);
      out.append(',').append(frequency.getTermFrequency()).append(',');
      BytesRef bytes = payload.getPayload();
      if (bytes == null) out.append("null");
      else {
        out.append('"');
        for (int i = 0; i < bytes.length; i++)
          out.append(String.format("%02x", bytes.bytes[bytes.offset + i]));
        out.append('"');
      }
      out.append("],");
    }
    stream.end();
    out.append('[').append(offset.endOffset()).append(',');
    out.append(increment.getPositionIncrement()).append("]]");
  }

  private static Analyzer analyzer(Map<?, ?> spec) throws Exception {
    Class<?> type = Class.forName((String) spec.get("class"));
    List<CharArraySet> sets = new ArrayList<>();
    for (String key : new String[] {"stopwords", "exclusions"})
      if (spec.containsKey(key)) sets.add(new CharArraySet((List<?>) spec.get(key), false));
    for (Constructor<?> constructor : type.getConstructors()) {
      Class<?>[] taken = constructor.getParameterTypes();
      boolean fits = taken.length == sets.size();
      for (Class<?> each : taken) fits &= each == CharArraySet.class;
      if (fits) return (Analyzer) constructor.newInstance(sets.toArray());
    }
    throw new IllegalArgumentException("no constructor for " + spec);
  }

  /** A chain of factories; the same stages take text after text. */
  private static final class Chain {
    private final List<CharFilterFactory> charFilters = new ArrayList<>();
    private final Tokenizer tokenizer;
    private final TokenStream last;

    Chain(Map<?, ?> spec) throws Exception {
      Map<?, ?> resources = map(spec.get("resources"));
      for (Object each : list(spec.get("charFilters"))) {
        Map<?, ?> part = (Map<?, ?>) each;
        CharFilterFactory factory = CharFilterFactory.forName((String) part.get("name"), args(part));
        inform(factory, resources);
        charFilters.add(factory);
      }
      Map<?, ?> part = (Map<?, ?>) spec.get("tokenizer");
      TokenizerFactory factory = TokenizerFactory.forName((String) part.get("name"), args(part));
      inform(factory, resources);
      tokenizer = factory.create();
      TokenStream stream = tokenizer;
      for (Object each : list(spec.get("filters"))) stream = filter((Map<?, ?>) each, stream, resources);
      last = stream;
    }

    TokenStream open(String text) throws IOException {
      Reader reader = new StringReader(text);
      for (CharFilterFactory factory : charFilters) reader = factory.create(reader);
      tokenizer.setReader(reader);
      return last;
    }

    private static TokenStream filter(Map<?, ?> part, TokenStream input, Map<?, ?> resources)
        throws Exception {
      if (part.containsKey("chains")) return multiplexed(list(part.get("chains")), input, resources);
      if (part.containsKey("class")) {
        Class<?> type = Class.forName((String) part.get("class"));
        return (TokenFilter) type.getConstructor(TokenStream.class).newInstance(input);
      }
      TokenFilterFactory factory = TokenFilterFactory.forName((String) part.get("name"), args(part));
      inform(factory, resources);
      return factory.create(input);
    }

    /** Lucene's own conditional filters, each over the copies that are for it. */
    private static TokenStream multiplexed(List<?> chains, TokenStream input, Map<?, ?> resources) {
      Copies copies = new Copies(input, chains.size());
      TokenStream stream = copies;
      for (int i = 0; i < chains.size(); i++) {
        int number = i;
        List<?> parts = list(chains.get(i));
        stream =
            new ConditionalTokenFilter(
                stream,
                selected -> {
                  try {
                    TokenStream inner = selected;
                    for (Object part : parts) inner = filter((Map<?, ?>) part, inner, resources);
                    return inner;
                  } catch (Exception error) {
                    throw new RuntimeException(error);
                  }
                }) {
              @Override
              protected boolean shouldFilter() {
                return copies.number == number;
              }
            };
      }
      return new RemoveDuplicatesTokenFilter(stream);
    }

    private static void inform(Object factory, Map<?, ?> resources) throws IOException {
      if (factory instanceof ResourceLoaderAware)
        ((ResourceLoaderAware) factory).inform(new GivenResources(resources));
    }

    private static Map<String, String> args(Map<?, ?> part) {
      Map<String, String> args = new HashMap<>();
      for (Map.Entry<?, ?> entry : map(part.get("args")).entrySet())
        args.put((String) entry.getKey(), (String) entry.getValue());
      args.putIfAbsent("luceneMatchVersion", Version.LATEST.toString());
      return args;
    }

    private static Map<?, ?> map(Object value) {
      return value == null ? new HashMap<>() : (Map<?, ?>) value;
    }

    private static List<?> list(Object value) {
      return value == null ? new ArrayList<>() : (List<?>) value;
    }
  }

  /** Each token so many times at its position. */
  private static final class Copies extends TokenFilter {
    private final PositionIncrementAttribute increment = addAttribute(PositionIncrementAttribute.class);
    private final int count;
    private AttributeSource.State token;
    int number;

    Copies(TokenStream input, int count) {
      super(input);
      this.count = count;
      number = count - 1;
    }

    @Override
    public boolean incrementToken() throws IOException {
      if (++number < count) {
        restoreState(token);
        increment.setPositionIncrement(0);
        return true;
      }
      number = 0;
      if (!input.incrementToken()) return false;
      token = captureState();
      return true;
    }

    @Override
    public void reset() throws IOException {
      super.reset();
      number = count - 1;
    }
  }

  /** Files that came with the request. */
  private static final class GivenResources implements ResourceLoader {
    private final Map<?, ?> files;

    GivenResources(Map<?, ?> files) {
      this.files = files;
    }

    @Override
    public InputStream openResource(String name) throws IOException {
      Object text = files.get(name);
      if (text == null) throw new IOException("no resource " + name);
      return new ByteArrayInputStream(((String) text).getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public <T> Class<? extends T> findClass(String name, Class<T> expected) {
      try {
        return Class.forName(name).asSubclass(expected);
      } catch (ClassNotFoundException error) {
        throw new RuntimeException(error);
      }
    }

    @Override
    public <T> T newInstance(String name, Class<T> expected) {
      try {
        return findClass(name, expected).getConstructor().newInstance();
      } catch (ReflectiveOperationException error) {
        throw new RuntimeException(error);
      }
    }
  }

  private static void putError(StringBuilder out, Throwable error) {
    Throwable cause = error.getCause() == null ? error : error.getCause();
    out.append("{\"error\":");
    putText(out, String.valueOf(cause));
    out.append('}');
  }

  /** ASCII only, so that lone surrogates come through. */
  private static void putText(StringBuilder out, String text) {
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      char unit = text.charAt(i);
      if (unit == '"' || unit == '\\') out.append('\\').append(unit);
      else if (unit >= 0x20 && unit < 0x7f) out.append(unit);
      else out.append(String.format("\\u%04x", (int) unit));
    }
    out.append('"');
  }
}
