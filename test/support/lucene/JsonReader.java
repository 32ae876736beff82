import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** JSON of objects, arrays, texts; what else there is comes as text. */
final class JsonReader {
  private final String json;
  private int at = 0;

  JsonReader(String json) {
    this.json = json;
  }

  Object read() {
    char first = json.charAt(at);
    if (first == '"') return text();
    if (first == '{') {
      Map<String, Object> map = new LinkedHashMap<>();
      for (at++; json.charAt(at) != '}'; ) {
        if (json.charAt(at) == ',') at++;
        String key = text();
        at++;
        map.put(key, read());
      }
      at++;
      return map;
    }
    if (first == '[') {
      List<Object> list = new ArrayList<>();
      for (at++; json.charAt(at) != ']'; ) {
        if (json.charAt(at) == ',') at++;
        list.add(read());
      }
      at++;
      return list;
    }
    int start = at;
    while (at < json.length() && ",]}".indexOf(json.charAt(at)) < 0) at++;
    return json.substring(start, at);
  }

  private String text() {
    StringBuilder text = new StringBuilder();
    for (at++; json.charAt(at) != '"'; at++) {
      char unit = json.charAt(at);
      if (unit != '\\') {
        text.append(unit);
        continue;
      }
      unit = json.charAt(++at);
      if (unit == 'u') {
        text.append((char) Integer.parseInt(json.substring(at + 1, at + 5), 16));
        at += 4;
      } else if (unit == 'n') text.append('\n');
      else if (unit == 't') text.append('\t');
      else if (unit == 'r') text.append('\r');
      else if (unit == 'b') text.append('\b');
      else if (unit == 'f') text.append('\f');
      else text.append(unit);
    }
    at++;
    return text.toString();
  }
}
