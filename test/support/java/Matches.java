import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * For each line "pattern TAB text", with \n, \t and \\ written so, prints the offsets of all matches:
 * of each match its start and end and those of its groups, −1 where a group took no part.
 */
final class Matches {
  public static void main(String[] args) throws Exception {
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, "UTF-8"));
    StringBuilder out = new StringBuilder();
    for (String line; (line = in.readLine()) != null; ) {
      String[] parts = line.split("\t", -1);
      out.append(matches(plain(parts[0]), plain(parts[1]))).append('\n');
    }
    System.out.print(out);
  }

  private static String plain(String text) {
    StringBuilder plain = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char unit = text.charAt(i);
      if (unit != '\\') plain.append(unit);
      else {
        char next = text.charAt(++i);
        plain.append(next == 'n' ? '\n' : next == 't' ? '\t' : next);
      }
    }
    return plain.toString();
  }

  private static String matches(String pattern, String text) {
    try {
      Matcher matcher = Pattern.compile(pattern).matcher(text);
      StringBuilder found = new StringBuilder();
      while (matcher.find()) {
        if (found.length() > 0) found.append(';');
        for (int group = 0; group <= matcher.groupCount(); group++) {
          if (group > 0) found.append(',');
          found.append(matcher.start(group)).append(',').append(matcher.end(group));
        }
      }
      return found.toString();
    } catch (PatternSyntaxException error) {
      return "refused";
    }
  }
}
