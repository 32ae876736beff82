// Makes src/analysis/token-filter/stemmer/generated/kstem-words.ts: the dictionary of R. Krovetz'
// stemmer as Debian's liblucene8-java has it. Wants Java.
//
//   node scripts/generate-kstem-words.mjs CLASS_PATH     lucene-core and lucene-analyzers-common
//
// Words are sorted; each is written as how many letters it shares with the one before, as a capital
// (A none, B one, …), and the letters that follow.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const SOURCE = `
import java.lang.reflect.Field;
public class Print {
  static Object get(String type, String name) throws Exception {
    Field field = Class.forName("org.apache.lucene.analysis.en." + type).getDeclaredField(name);
    field.setAccessible(true);
    return field.get(null);
  }
  public static void main(String[] args) throws Exception {
    for (int i = 1; i <= 8; i++)
      for (String word : (String[]) get("KStemData" + i, "data")) System.out.println("word " + word);
    for (String list : new String[] {"supplementDict", "properNouns"})
      for (String word : (String[]) get("KStemmer", list)) System.out.println("word " + word);
    for (String word : (String[]) get("KStemmer", "exceptionWords")) System.out.println("exception " + word);
    for (String list : new String[] {"directConflations", "countryNationality"})
      for (String[] pair : (String[][]) get("KStemmer", list)) System.out.println("root " + pair[0] + ">" + pair[1]);
  }
}`

const LICENCE = `
Copyright © 2003, Center for Intelligent Information Retrieval, University of Massachusetts, Amherst.
All rights reserved.

Redistribution and use in source and binary forms, with or without modification, are permitted
provided that the following conditions are met:

1. Redistributions of source code must retain the above copyright notice, this list of conditions and
the following disclaimer.

2. Redistributions in binary form must reproduce the above copyright notice, this list of conditions
and the following disclaimer in the documentation and/or other materials provided with the
distribution.

3. The names "Center for Intelligent Information Retrieval" and "University of Massachusetts" must not
be used to endorse or promote products derived from this software without prior written permission. To
obtain permission, contact info@ciir.cs.umass.edu.

THIS SOFTWARE IS PROVIDED BY UNIVERSITY OF MASSACHUSETTS AND OTHER CONTRIBUTORS "AS IS" AND ANY
EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE IMPLIED WARRANTIES OF
MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE ARE DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT
HOLDERS OR CONTRIBUTORS BE LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR
CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF SUBSTITUTE GOODS OR SERVICES;
LOSS OF USE, DATA, OR PROFITS; OR BUSINESS INTERRUPTION) HOWEVER CAUSED AND ON ANY THEORY OF
LIABILITY, WHETHER IN CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE) ARISING
IN ANY WAY OUT OF THE USE OF THIS SOFTWARE, EVEN IF ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.`

const folder = mkdtempSync(join(tmpdir(), 'kstem-'))
writeFileSync(join(folder, 'Print.java'), SOURCE)
const printed = execFileSync('java', ['-cp', process.argv[2], join(folder, 'Print.java')])
rmSync(folder, { recursive: true })
const lists = { word: [], exception: [], root: [] }
for (const line of printed.toString().trim().split('\n')) {
  const [kind, text] = line.split(' ')
  lists[kind].push(text)
}

let before = ''
let coded = ''
for (const word of [...new Set(lists.word)].sort()) {
  if (!/^[a-z]+$/.test(word)) throw new Error(`a word of other letters: ${word}`)
  let shared = 0
  while (shared < 25 && shared < word.length && word[shared] === before[shared]) shared++
  coded += String.fromCharCode(65 + shared) + word.slice(shared)
  before = word
}
const wrap = text => text.match(/.{1,98}/g).join('\n')
writeFileSync(
  new URL('../src/analysis/token-filter/stemmer/generated/kstem-words.ts', import.meta.url),
  '// Made by scripts/generate-kstem-words.mjs of liblucene8-java 8.8.1; do not edit.\n' +
    `// The words are those of the Krovetz stemmer, which comes with this notice:\n` +
    `${LICENCE.split('\n')
      .map(line => `// ${line}`.trimEnd())
      .join('\n')}\n\n` +
    '/** The dictionary, coded; line ends count for nothing. */\n' +
    `export const KSTEM_WORDS: string = \`\n${wrap(coded)}\n\`\n\n` +
    '/** Words that are not to be made of others by an e. */\n' +
    `export const KSTEM_EXCEPTIONS: string = '${lists.exception.join(' ')}'\n\n` +
    '/** Words and their roots. */\n' +
    `export const KSTEM_ROOTS: string = '${lists.root.join(' ')}'\n`,
)
