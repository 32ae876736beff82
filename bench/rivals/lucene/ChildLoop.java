import com.sun.management.OperatingSystemMXBean;
import java.io.BufferedReader;
import java.io.File;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.lucene.util.Version;

/** Answers the requests of protocol.ts, one line each, on standard output. */
final class ChildLoop {
  private ChildLoop() {}

  /** Answers a request by a line of JSON. */
  interface Answerer {
    String answer(String[] request) throws Exception;
  }

  /** One search; its result is added up, so that nothing of it is optimised away. */
  interface Search {
    long run() throws IOException;
  }

  /** Reads requests until it is told to quit. */
  static void serve(Answerer answerer) throws IOException {
    PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), true, "UTF-8");
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    out.println(
        "{\"version\":" + quoted("Lucene " + Version.LATEST)
            + ",\"runtime\":" + quoted("Java " + System.getProperty("java.version")) + "}");
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      String[] request = line.split("\t", -1);
      if (request[0].equals("quit")) break;
      try {
        out.println(answerer.answer(request));
      } catch (UnsupportedOperationException error) {
        out.println("{\"unsupported\":" + quoted(error.getMessage()) + "}");
      } catch (Exception error) {
        out.println("{\"error\":" + quoted(error.toString()) + "}");
      }
    }
  }

  private static long kept;

  /** Passes over the searches for so long, at least once; the least time of each. */
  static String round(long nanosAtLeast, List<Search> searches) throws IOException {
    long[] least = new long[searches.size()];
    Arrays.fill(least, Long.MAX_VALUE);
    long cpu = cpuTime();
    long start = System.nanoTime();
    int passes = 0;
    do {
      for (int i = 0; i < least.length; i++) {
        Search search = searches.get(i);
        long from = System.nanoTime();
        kept += search.run();
        long took = System.nanoTime() - from;
        if (took < least[i]) least[i] = took;
      }
      passes++;
    } while (System.nanoTime() - start < nanosAtLeast);
    long nanos = System.nanoTime() - start;
    return "{\"least\":" + Arrays.toString(least) + ",\"passes\":" + passes + ",\"nanos\":" + nanos
        + ",\"cpuNanos\":" + (cpuTime() - cpu) + "}";
  }

  static long cpuTime() {
    return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  /** Sizes of an index's files by the ending of their names, as JSON. */
  static String bytesByEnding(Path folder) {
    Map<String, Long> bytes = new TreeMap<>();
    for (File file : folder.toFile().listFiles()) {
      String name = file.getName();
      int dot = name.lastIndexOf('.');
      String ending = dot < 0 ? "segments" : name.substring(dot + 1);
      bytes.merge(ending, file.length(), Long::sum);
    }
    List<String> entries = new ArrayList<>();
    bytes.forEach((ending, size) -> entries.add(quoted(ending) + ":" + size));
    return "{" + String.join(",", entries) + "}";
  }

  static String quoted(String text) {
    StringBuilder out = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') out.append('\\').append(c);
      else if (c < ' ') out.append(String.format("\\u%04x", (int) c));
      else out.append(c);
    }
    return out.append('"').toString();
  }
}
